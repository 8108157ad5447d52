"""Templates of a user's own: one is enough, and what is wrong with one is said before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import substrait_sql
from substrait_sql.errors import UnsupportedError
from tests.lower.relations.test_writes import define, update
from tests.support.build import eq, lit, plan, virtual

PLAN = plan((virtual("id:i32", (1,)), "id"))
QUERY = substrait_sql.to_sql(PLAN)


def rendered(folder: Path, template: str, kind: str = "view", **options: Any) -> str:
    (folder / f"{kind}.sql.jinja").write_text(template)
    return substrait_sql.to_sql(
        PLAN, statement=kind, name="db.t", templates=[folder], statement_options=options
    )


def test_one_is_overridden(tmp_path: Path) -> None:
    mine = "CREATE VIEW {{ relation | ident }}\nCOMMENT 'ours'\nAS\n{{ query }}\n"
    assert rendered(tmp_path, mine) == f"CREATE VIEW db.t\nCOMMENT 'ours'\nAS\n{QUERY}"
    # The others are as they were.
    assert substrait_sql.to_sql(
        PLAN, statement="insert", name="t", templates=[tmp_path]
    ) == substrait_sql.to_sql(PLAN, statement="insert", name="t")


def test_more_around_the_query(tmp_path: Path) -> None:
    audited = (
        "INSERT INTO {{ relation | ident }}\n"
        "SELECT *, current_timestamp() AS loaded_at FROM (\n{{ query }}\n)"
    )
    assert rendered(tmp_path, audited, "insert").endswith(f"FROM (\n{QUERY}\n)")


def test_files_beside_it_and_those_that_ship(tmp_path: Path) -> None:
    (tmp_path / "_note.jinja").write_text("COMMENT 'ours'")
    mine = 'CREATE VIEW {{ relation | ident }}\n{% include "_note.jinja" %}\nAS\n{{ query }}'
    assert "COMMENT 'ours'" in rendered(tmp_path, mine)
    mine = '{% set comment = comment or "none given" %}{% include "default/view.sql.jinja" %}'
    assert "COMMENT 'none given'" in rendered(tmp_path, mine)
    assert "COMMENT 'given'" in rendered(tmp_path, mine, comment="given")


def test_those_of_a_dialect_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "dialect.yaml").write_text("name: own\nmetadata: {extends: spark}\n")
    (tmp_path / "templates/view.sql.jinja").write_text("CREATE VIEW {{ relation }} AS {{ query }}")
    made = substrait_sql.to_sql(PLAN, dialect=tmp_path, statement="view", name="t")
    assert made == f"CREATE VIEW t AS {QUERY}"


VIEW = "CREATE VIEW {{ relation | ident }} AS "


@pytest.mark.parametrize(
    ("template", "code", "says"),
    [
        (VIEW + "SELECT 1 AS id", "SS3215", "leaves the query out"),
        (VIEW + "{{ query }} UNION ALL {{ query }}", "SS3215", "more than once"),
        (VIEW + "SELECT 1 -- {{ query }}", "SS3215", "a comment"),
        (VIEW + "SELECT 1 /* {{ query }} */", "SS3215", "a comment"),
        (VIEW + "SELECT '{{ query }}'", "SS3215", "quotes"),
        (VIEW + "SELECT 1 AS `{{ query }}`", "SS3215", "quotes"),
        (VIEW + "x{{ query }}", "SS3215", "another word"),
        (VIEW + "{{ query | upper }}", "SS3215", "leaves the query out"),
        (VIEW + "{{ query[1:] }}", "SS3215", "leaves the query out"),
        (VIEW + "{{ query }}; DROP TABLE x", "SS3204", "semicolon"),
        (VIEW + "({{ query }}", "SS3204", "parentheses"),
        (VIEW + "{{ query }} 'x", "SS3204", ""),
        ("CREATE TABLE {{ relation | ident }} AS {{ query }}", "SS3216", "the kind view"),
        ("INSERT INTO {{ relation | ident }} {{ query }}", "SS3216", "the kind view"),
        ("WITH x AS ({{ query }}) CREATE VIEW {{ relation }} AS SELECT 1", "SS3216", "the kind"),
        ("CREATE VIEW other AS {{ query }}", "SS3216", "target is not db.t"),
        ("CREATE VIEW other.{{ relation | ident }} AS {{ query }}", "SS3216", "target"),
        ("CREATE VIEW {{ relation | ident }}.x AS {{ query }}", "SS3216", "target"),
        ("CREATE VIEW {{ relation.name | ident }} AS {{ query }}", "SS3216", "target"),
        ("", "SS3215", "leaves the query out"),
        (VIEW + "{{ nothing }} {{ query }}", "SS3210", "'nothing' is undefined"),
        (VIEW + "{{ query }", "SS3210", ""),
        (VIEW + "{% for %}{{ query }}", "SS3210", ""),
        (VIEW + "{{ 1 / 0 }} {{ query }}", "SS3210", "division by zero"),
        (VIEW + "{{ query | nothing }}", "SS3210", "No filter named 'nothing'"),
        # What a template may not have.
        (VIEW + "{% include '/etc/passwd' %} {{ query }}", "SS3210", "/etc/passwd"),
        (VIEW + "{% include '../../../../etc/passwd' %} {{ query }}", "SS3210", "etc/passwd"),
        (VIEW + "{{ ''.__class__.__mro__ }} {{ query }}", "SS3210", "unsafe"),
        (VIEW + "{{ relation.names.__init__.__globals__ }} {{ query }}", "SS3210", "unsafe"),
        (VIEW + "{{ query.format.__self__ }} {{ query }}", "SS3210", ""),
        (VIEW + "{{ '{0.__class__}'.format(query) }} {{ query }}", "SS3210", "unsafe"),
        (VIEW + "{{ (relation | attr('__class__')).__mro__ }} {{ query }}", "SS3210", ""),
        (VIEW + "{{ self.__init__ }} {{ query }}", "SS3210", "unsafe"),
        (VIEW + "{{ open('/etc/passwd').read() }} {{ query }}", "SS3210", "'open' is undefined"),
        (VIEW + "{{ os.environ }} {{ query }}", "SS3210", "'os' is undefined"),
        (VIEW + "{{ env_var('HOME') }} {{ query }}", "SS3210", "'env_var' is undefined"),
        (VIEW + "{{ cycler.__init__.__globals__ }} {{ query }}", "SS3210", "unsafe"),
        (VIEW + "{{ lipsum() }} {{ query }}", "SS3210", "'lipsum' is undefined"),
        (VIEW + "{% for x in range(10**9) %}{% endfor %}{{ query }}", "SS3210", "'range' is"),
        (VIEW + "{% do columns.append(1) %}{{ query }}", "SS3210", ""),
        (VIEW + "{% import 'os' as os %}{{ query }}", "SS3210", "os"),
    ],
)
def test_a_template_that_is_not_right(template: str, code: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError) as refused:
        rendered(tmp_path, template)
    assert refused.value.code == code
    assert says in str(refused.value)


def test_secrets_stay_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file outside of the folders, beside them and above, by any way that Jinja has to name one."""
    (tmp_path / "secret.txt").write_text("hidden")
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("secret.txt", "../secret.txt", "./secret.txt", str(tmp_path / "secret.txt")):
        for tag in ("include", "extends", "import"):
            end = " as x" if tag == "import" else ""
            with pytest.raises(UnsupportedError) as refused:
                rendered(own, f"{{% {tag} {name!r}{end} %}}" + VIEW + "{{ query }}")
            assert refused.value.code in ("SS3210", "SS3215")
            assert "hidden" not in str(refused.value)


def test_folders_that_are_not_right(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="SS3217 there is no folder"):
        substrait_sql.to_sql(PLAN, statement="view", name="t", templates=[tmp_path / "none"])
    (tmp_path / "veiw.sql.jinja").write_text(VIEW)
    with pytest.raises(UnsupportedError, match="SS3217 there is no statement of kind 'veiw'"):
        substrait_sql.to_sql(PLAN, statement="view", name="t", templates=[tmp_path])


def test_those_of_plans_that_are_statements(tmp_path: Path) -> None:
    """A condition, a value and a default have to be there once, as a query has."""
    changed = update(lambda r: eq(r[0], lit(1, "i32")), (1, lambda r: lit(2, "i32")))
    (tmp_path / "update.sql.jinja").write_text(
        "UPDATE {{ relation }} SET {% for n, v in assignments %}{{ n }} = {{ v }}{% endfor %}"
    )
    with pytest.raises(UnsupportedError, match="SS3215 .* leaves the condition out"):
        substrait_sql.to_sql(changed, templates=[tmp_path])
    (tmp_path / "update.sql.jinja").write_text("UPDATE {{ relation }} SET b = 3 {{ condition }}")
    with pytest.raises(UnsupportedError, match="SS3215 .* leaves the value of b out"):
        substrait_sql.to_sql(changed, templates=[tmp_path])
    made = define("CREATE", "TABLE", "t", "a:i64", defaults=(5,))
    (tmp_path / "create_table.sql.jinja").write_text("CREATE TABLE {{ relation }} (a BIGINT)")
    with pytest.raises(UnsupportedError, match="SS3215 .* leaves the default of a out"):
        substrait_sql.to_sql(made, templates=[tmp_path])
    (tmp_path / "drop_table.sql.jinja").write_text("DROP TABLE IF EXISTS {{ relation }} PURGE")
    dropped = define("DROP", "TABLE", "t")
    assert substrait_sql.to_sql(dropped, templates=[tmp_path]).endswith(".t PURGE")
    (tmp_path / "drop_table.sql.jinja").write_text("DROP VIEW {{ relation }}")
    with pytest.raises(UnsupportedError, match="SS3216"):
        substrait_sql.to_sql(dropped, templates=[tmp_path])


@pytest.mark.parametrize(
    ("dialect", "kind", "options"),
    [
        ("spark35", "overwrite", {"partition_overwrite": "dynamic"}),
        ("spark35", "table", {"cluster_by": ["id"]}),
        ("spark35", "table", {"cluster_by": ["id"], "not_null": ["id"]}),
        ("spark35", "table", {"checks": {"k": "id > 0"}}),
        ("spark40", "table", {"checks": {"k": "id > 0"}}),
    ],
)
def test_what_an_older_release_has_no_words_for(
    dialect: str, kind: str, options: dict[str, Any]
) -> None:
    with pytest.raises(UnsupportedError, match="before Spark 4") as refused:
        substrait_sql.to_sql(
            PLAN, dialect=dialect, statement=kind, name="t", statement_options=options
        )
    assert refused.value.code == "SS3218"
    made = substrait_sql.to_sql(PLAN, dialect=dialect, statement=kind, name="t")
    assert made == substrait_sql.to_sql(PLAN, statement=kind, name="t")


def test_overwriting_on_spark_35() -> None:
    """It has no options of INSERT: what a session does by itself is said without words, the other is refused."""

    def text(mode: str) -> str:
        return substrait_sql.to_sql(
            PLAN, dialect="spark35", statement="overwrite", name="t",
            statement_options={"partition_overwrite": mode},
        )  # fmt: skip

    assert text("static").startswith("INSERT OVERWRITE TABLE t\nSELECT")
    with pytest.raises(UnsupportedError, match="before Spark 4"):
        text("dynamic")
