"""Attempts to get around a policy, each a row; none may be let through, and nothing is asked of the session before."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import Policy, execute, extensions
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import PolicyError, SubstraitSqlError, UnsupportedError
from substrait_sql.policy.hold import hold_plan, hold_sql
from tests.policy.test_effects import SCHEMA, named, reading
from tests.support import json_plans
from tests.support.json_plans import field, functions, lit, of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession


EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "custom_functions"


class Untouchable:
    """A session that nobody may ask for anything."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the session was asked for {name}")


def held(plan: Any, policy: Policy, **options: Any) -> None:
    """All that `execute` does about a policy, and without a session."""
    rules = load(options.get("dialect", "spark"))
    hold_plan(plan, policy, rules)
    rendered = substrait_sql.render(plan, **options)
    hold_sql(rendered, policy, rules)


def refused(plan: Any, policy: Policy, **options: Any) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        held(plan, policy, **options)
    return caught.value


def file(uri: str, kind: str = "uriFile") -> dict[str, Any]:
    return reading(localFiles={"items": [{kind: uri, "parquet": {}}]})


def table(*names: str) -> dict[str, Any]:
    return reading(namedTable={"names": list(names)})


def iceberg(uri: str) -> dict[str, Any]:
    return reading(icebergTable={"direct": {"metadataUri": uri}})


def arrow(uri: str) -> dict[str, Any]:
    return reading(localFiles={"items": [{"uriFile": uri, "arrow": {}}]})


def folder(uri: str) -> dict[str, Any]:
    return file(uri, "uriFolder")


def pattern(uri: str) -> dict[str, Any]:
    return file(uri, "uriPathGlob")


# Files --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``open`` may be read, ``secret`` may not, and links lead from one to the other."""
    top = tmp_path_factory.mktemp("lake").resolve()
    for name in ("open/people", "open/linked/deep", "open/inner", "secret", "open-too"):
        (top / name).mkdir(parents=True)
    for name in ("open/people/a.parquet", "secret/x.parquet", "open/inner/b.parquet"):
        (top / name).touch()
    (top / "open/link").symlink_to(top / "secret")
    (top / "open/link.parquet").symlink_to(top / "secret/x.parquet")
    (top / "open/linked/deep/y.parquet").symlink_to("../../../secret/x.parquet")
    (top / "open/dangling.parquet").symlink_to(top / "secret/later.parquet")
    (top / "open/round").symlink_to(top / "open/inner")
    (top / "open/inner/again").symlink_to(top / "open/linked")
    (top / "open/people/own.parquet").symlink_to(top / "open/people/a.parquet")
    (top / "other").symlink_to(top / "open")
    return top


OUTSIDE: list[tuple[Callable[[str], Any], str]] = [
    (file, "{}/secret/x.parquet"),
    (file, "file:{}/secret/x.parquet"),
    (file, "file://{}/secret/x.parquet"),
    (file, "FILE:{}/secret/x.parquet"),
    (file, "File://{}/secret/x.parquet"),
    (file, "file://localhost{}/secret/x.parquet"),
    (file, "file:///{}/secret/x.parquet"),
    (file, "file:////{}/secret/x.parquet"),
    (file, "{}/open-too/x.parquet"),
    (file, "{}/OPEN/people/a.parquet"),
    (folder, "{}"),
    (folder, "{}/"),
    (folder, "/"),
    # Up again.
    (file, "{}/open/../secret/x.parquet"),
    (file, "{}/open/people/../../secret/x.parquet"),
    (file, "{}/open/./../secret/x.parquet"),
    (file, "{}/open//..//secret//x.parquet"),
    (file, "file://{}/open/../secret/x.parquet"),
    (file, "file://{}/open/%2e%2e/secret/x.parquet"),
    (file, "file://{}/open/.%2E/secret/x.parquet"),
    (file, "file://{}/open%2f..%2Fsecret/x.parquet"),
    (file, "file://{}/open/%252e%252e/secret/x.parquet"),
    (file, "{}/open/%2e%2e/secret/x.parquet"),
    (folder, "{}/open/.."),
    (folder, "{}/open/people/../.."),
    # Other spellings.
    (file, "/{}/open/people/a.parquet"),
    (file, "//{}/secret/x.parquet"),
    (file, "file:secret/x.parquet"),
    (file, "secret/x.parquet"),
    (file, "./secret/x.parquet"),
    (file, "../secret/x.parquet"),
    (file, "~/x.parquet"),
    (file, "{}/open/..\\secret\\x.parquet"),
    (file, "{}\\secret\\x.parquet"),
    (file, "file://{}/open/..%5csecret/x.parquet"),
    (file, "{}/open/\0/../secret/x.parquet"),
    (file, "{}/secret/x.parquet\0/open/a.parquet"),
    (file, "file://{}/open/%00/x.parquet"),
    (file, "{}/open/\n../secret/x.parquet"),
    (file, " {}/open/people/a.parquet"),
    (file, "x:{}/open/people/a.parquet"),
    # Links.
    (file, "{}/open/link/x.parquet"),
    (file, "{}/open/link.parquet"),
    (file, "{}/open/dangling.parquet"),
    (file, "file://{}/open/lin%6b.parquet"),
    (folder, "{}/open/link"),
    (folder, "{}/open"),
    (folder, "{}/open/linked"),
    (folder, "{}/open/round"),
    (file, "{}/other/people/a.parquet"),
    (folder, "{}/open/inner"),
    # Patterns.
    (pattern, "{}/*/x.parquet"),
    (pattern, "{}/secret/*"),
    (pattern, "{}/open/*"),
    (pattern, "{}/open/*/x.parquet"),
    (pattern, "{}/open/l?nk/x.parquet"),
    (pattern, "{}/open/[l]ink.parquet"),
    (pattern, "{}/open/[!a]ink/*"),
    (pattern, "{}/open/dangl*"),
    (pattern, "{}/open/people/../../secret/*"),
    (pattern, "{}/open/*/../../secret/*"),
    (pattern, "{}/open/*/\\.\\./\\.\\./secret/*"),
    (pattern, "{}/ope[n]/people/a.parquet"),
    (pattern, "{}/open\\/../secret/*"),
    (pattern, "file://{}/open/*/%2e%2e/%2e%2e/secret/*"),
    (pattern, "file:{}/open/lin*"),
    # Names of tables that are files.
    (lambda uri: table("parquet", uri), "{}/secret/x.parquet"),
    (lambda uri: table("PARQUET", uri), "{}/secret/x.parquet"),
    (lambda uri: table("text", uri), "file:{}/secret/x.parquet"),
    (lambda uri: table("binaryFile", uri), "{}/open/link.parquet"),
    (lambda uri: table("csv", uri), "{}/open/people/{{a,/../../../secret/x}}.parquet"),
    (lambda uri: table("json", uri), "{}/open/*/x.parquet"),
    (lambda uri: table("orc", uri), "secret"),
    (lambda uri: table("org.apache.spark.sql.execution.datasources.text.TextFileFormat", uri), "{}/secret"),
    (lambda uri: table("spark_catalog", "delta", uri), "{}/secret/x"),
    (lambda uri: table("iceberg", uri), "{}/secret/x"),
    (lambda uri: table("unheard_of", uri), "x.parquet"),
    (lambda uri: table("unheard_of", uri), "*"),
    (table, "{}/secret/x"),
    # Other readers.
    (iceberg, "{}/secret/metadata/v1.metadata.json"),
    (iceberg, "file:{}/open/../secret/metadata/v1.metadata.json"),
    (arrow, "file://{}/secret/x.arrow"),
    (arrow, "{}/open/%2e%2e/x.arrow"),
    # Other file systems.
    (file, "s3a://lake/secret/x.parquet"),
    (file, "s3a://lake/sales-too/x.parquet"),
    (file, "s3a://lake/sales/../secret/x.parquet"),
    (file, "s3a://lake/sales/%2e%2e/secret/x.parquet"),
    (file, "s3a://lake/sales/%252e%252e/secret/x.parquet"),
    (file, "s3a://other/sales/x.parquet"),
    (file, "s3a://me:key@lake/sales/x.parquet"),
    (file, "s3a://lake@other/sales/x.parquet"),
    (file, "s3a:///lake/sales/x.parquet"),
    (file, "s3://lake/sales/x.parquet"),
    (file, "hdfs://lake/sales/x.parquet"),
    (file, "http://lake/sales/x.parquet"),
    (file, "s3a://lake/Sales/x.parquet"),
    (pattern, "s3a://lake/*/x.parquet"),
    (pattern, "s3a://lake/sale*/x.parquet"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "uri"), OUTSIDE, ids=[uri for _, uri in OUTSIDE])
def test_no_file_outside_the_folders(lake: Path, made: Callable[[str], Any], uri: str) -> None:
    policy = Policy(file_roots=[lake / "open", "s3a://lake/sales"])  # type: ignore[list-item]
    with pytest.raises((PolicyError, UnsupportedError)) as caught:
        execute(Untouchable(), made(uri.format(lake)), policy=policy)  # type: ignore[call-overload]
    # What Spark could not read at all is refused for that.
    assert caught.value.code in ("SS4063", "SS2242")


@pytest.mark.parametrize(
    ("made", "uri"),
    [
        (file, "{}/open/people/a.parquet"),
        (file, "file:{}/open/people/a.parquet"),
        (file, "FILE://{}/open//people/a.parquet"),
        (file, "file://localhost{}/open/peopl%65/a.parquet"),
        (file, "{}/open/people/not_there.parquet"),
        (folder, "{}/open/people/"),
        (pattern, "{}/open/people/*.parquet"),
        (pattern, "{}/open/p*/a.parquet"),
        (arrow, "{}/open/people/x.arrow"),
        (file, "S3A://lake/sales/x.parquet"),
        (pattern, "s3a://LAKE/sales/*/x.parquet"),
        (lambda uri: table("parquet", uri), "{}/open/people/a.parquet"),
    ],
)
def test_files_inside_the_folders(lake: Path, made: Callable[[str], Any], uri: str) -> None:
    held(made(uri.format(lake)), Policy(file_roots=[str(lake / "open"), "s3a://lake/sales/"]))


def test_a_folder_that_is_itself_a_link(lake: Path) -> None:
    policy = Policy(file_roots=[str(lake / "other")])
    held(file(f"{lake}/other/people/a.parquet"), policy)
    held(file(f"file:{lake}/open/people/a.parquet"), policy)
    assert refused(file(f"{lake}/other/link.parquet"), policy).code == "SS4063"


def test_no_folder_at_all(lake: Path) -> None:
    assert refused(file(f"{lake}/open/people/a.parquet"), Policy(file_roots=[])).code == "SS4063"


@pytest.fixture
def closed() -> Iterator[Path]:
    """A folder whose mode holds back who asks; root, whom no mode holds back, asks as nobody."""
    folder = Path(tempfile.mkdtemp(prefix="policy-"))  # nobody cannot enter what `tmp_path` makes
    folder.chmod(0o755)
    (folder / "closed").mkdir(mode=0o000)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield folder
    os.seteuid(user)
    shutil.rmtree(folder)


def test_a_folder_that_cannot_be_seen(closed: Path) -> None:
    error = refused(pattern(f"{closed}/closed/*"), Policy(file_roots=[str(closed)]))
    assert "cannot be seen" in str(error)


def test_every_file_is_said_with_its_node(lake: Path) -> None:
    items = [{"uriFile": f"{lake}/{n}/x.parquet", "parquet": {}} for n in ("secret", "open", "a")]
    error = refused(reading(localFiles={"items": items}), Policy(file_roots=[str(lake / "open")]))
    assert [d.path[-8:] for d in error.diagnostics] == ["items[0]", "items[2]"]
    assert all(str(lake / "open") in d.hint for d in error.diagnostics)


@pytest.mark.parametrize(
    ("policy", "plan", "code"),
    [
        (Policy(formats=["orc"]), file("/x/a.parquet"), "SS4064"),
        (Policy(formats=["Parquet"]), file("/x/a.parquet"), ""),
        (Policy(formats=["parquet"]), table("CSV", "/x/a.parquet"), "SS4064"),
        (Policy(formats=["parquet"]), table("/x/a.parquet"), "SS4064"),
        (Policy(formats=["parquet"]), iceberg("/x/metadata/v1.json"), "SS4064"),
        (Policy(formats=["iceberg"]), iceberg("/x/metadata/v1.json"), ""),
        (Policy(uri_schemes=["s3a"]), file("/x/a.parquet"), "SS4064"),
        (Policy(uri_schemes=["s3a"]), file("S3N://x/a.parquet"), "SS4064"),
        (Policy(uri_schemes=["S3A"]), file("s3a://x/a.parquet"), ""),
        (Policy(uri_schemes=["file"]), file("FILE:/x/a.parquet"), ""),
        (Policy(uri_schemes=[]), table("parquet", "hdfs://x/a"), "SS4064"),
    ],
)
def test_formats_and_schemes(policy: Policy, plan: Any, code: str) -> None:
    if code:
        assert refused(plan, policy).code == code
    else:
        held(plan, policy)


# Tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patterns", "names", "allowed"),
    [
        (["orders"], ["orders"], True),
        (["ORDERS"], ["Orders"], True),
        (["sales.*"], ["sales", "orders"], True),
        (["*.sales.ord?rs"], ["spark_catalog", "sales", "orders"], True),
        (["sales.`a.*`"], ["sales", "a.*"], True),
        (["sales.`a.*`"], ["sales", "a.b"], False),
        (["sales.*"], ["sales.orders"], False),
        (["sales.*"], ["sales", "x", "orders"], False),
        (["sales.*"], ["spark_catalog", "sales", "orders"], False),
        (["sales.*"], ["salesx", "orders"], False),
        (["orders"], ["secret", "orders"], False),
        (["orders"], ["orders\n"], False),
        (["orders"], ["`orders`"], False),
        (["*"], ["a", "b"], False),
        (["sales.*"], ["hive", "secret"], False),
        (["sales.*"], ["parquet", "/x"], False),
        (["sales.*"], ["/x"], False),
        (["parquet.*"], ["parquet", "/x"], True),
        ([], ["orders"], False),
    ],
)
def test_tables_that_may_be_read(patterns: list[str], names: list[str], allowed: bool) -> None:
    plan, policy = table(*names), Policy(read_tables=patterns)
    if allowed:
        held(plan, policy)
        return
    error = refused(plan, policy)
    assert (error.code, error.path) == ("SS4061", "relations[0].root.input.read")


def test_a_relation_that_no_root_reads_is_held_too() -> None:
    plan = table("orders")
    plan["relations"].insert(0, {"rel": table("secret")["relations"][0]["root"]["input"]})
    assert refused(plan, Policy(read_tables=["orders"])).path == "relations[0].rel.read"


def test_a_subquery_is_held_too() -> None:
    schema = {**SCHEMA, "secret": "id INT"}
    plan = substrait_sql.to_plan(
        "SELECT id FROM orders WHERE id IN (SELECT id FROM secret)", schema=schema
    )
    assert "secret" in str(refused(plan, Policy(read_tables=["orders"])))


CTAS = "CREATE TABLE sales.best AS SELECT id FROM orders"


@pytest.mark.parametrize(
    ("sql", "policy", "code"),
    [
        (CTAS, Policy(write_tables=["sales.*"]), ""),
        (CTAS, Policy(), ""),
        (CTAS, Policy(allow_writes=False), "SS4062"),
        (CTAS, Policy(write_tables=[]), "SS4062"),
        (CTAS, Policy(write_tables=["best"]), "SS4062"),
        (CTAS, Policy(write_tables=["sales.orders"]), "SS4062"),
        ("INSERT INTO orders SELECT * FROM orders", Policy(write_tables=["sales.*"]), "SS4062"),
        ("DROP TABLE orders", Policy(write_tables=["sales.*"]), "SS4062"),
        ("DROP TABLE orders", Policy(write_tables=["orders"]), ""),
        ("DELETE FROM orders WHERE id = 1", Policy(write_tables=["x"]), "SS4062"),
        ("UPDATE orders SET id = 1", Policy(write_tables=["x"]), "SS4062"),
        ("CREATE VIEW v AS SELECT id FROM orders", Policy(write_tables=["w"]), "SS4062"),
        ("INSERT INTO parquet.`/x` SELECT * FROM orders", Policy(write_tables=["sales.*"]), "SS4062"),
        ("INSERT INTO parquet.`/x` SELECT * FROM orders", Policy(formats=["orc"]), "SS4064"),
        ("DELETE FROM delta.`/x` WHERE id = 1", Policy(file_roots=["/y"]), "SS4063"),
    ],
)  # fmt: skip
def test_tables_that_may_be_written(sql: str, policy: Policy, code: str) -> None:
    schema = {**SCHEMA, "parquet./x": SCHEMA["orders"], "delta./x": SCHEMA["orders"]}
    plan = substrait_sql.to_plan(sql, schema=schema)
    if code:
        # Before the session is asked what the table is now.
        with pytest.raises(PolicyError) as caught:
            execute(Untouchable(), plan, allow_writes=True, policy=policy)  # type: ignore[call-overload]
        assert (caught.value.code, caught.value.path[:23]) == (code, "relations[0].root.input")
    else:
        held(plan, policy)


def test_the_table_that_hands_back_records_needs_no_leave() -> None:
    plan = substrait_sql.to_plan(
        "INSERT INTO t SELECT id FROM orders", schema={**SCHEMA, "t": "id INT"}
    )
    plan.relations[0].root.input.write.output = 2
    assert len(substrait_sql.effects(plan).tables_written) > 1
    held(plan, Policy(write_tables=["t"], read_tables=["orders"]))


# Functions ----------------------------------------------------------------------------------------


def call_of(name: str) -> Any:
    return named("SELECT soundex(name) AS s FROM orders", "soundex", name)


@pytest.mark.parametrize("name", ["reflect", "java_method", "try_reflect", "from_protobuf"])
def test_what_any_policy_denies(name: str) -> None:
    for spelt in (name, name.upper(), f"`{name}`", f"{name}:str_str"):
        with pytest.raises(PolicyError) as caught:
            execute(Untouchable(), call_of(spelt), policy=Policy())  # type: ignore[call-overload]
        assert caught.value.code == "SS4065"
        assert caught.value.path.endswith("expressions[0].scalar_function")
    refused(call_of(name), Policy(allow_functions=["*"]))
    held(call_of(name), Policy(allow_functions=[name]))
    refused(call_of(name), Policy(allow_functions=[name], deny_functions=["*"]))


def test_what_this_policy_denies() -> None:
    assert refused(call_of("soundex"), Policy(deny_functions=["sound*"])).code == "SS4065"
    held(call_of("soundex"), Policy(deny_functions=["sound"]))
    # Not in the plan, and in its SQL.
    plan = substrait_sql.to_plan("SELECT current_date() AS d FROM orders", schema=SCHEMA)
    assert refused(plan, Policy(deny_functions=["current_date"])).code == "SS4065"
    # By the name that the plan has, whatever the producer means by it: a line `date_part_whole` of the dialect.
    part = json_plans.call(0, of("i64"), lit(string="year"), field(0))
    rel = json_plans.project(json_plans.read(["d"], [of("date")], "orders"), part, emit=[1])
    plan = json_plans.plan(rel, ["y"], "datafusion", 85, extensions=functions("date_part"))
    assert refused(plan, Policy(deny_functions=["date_part"])).code == "SS4065"


def test_functions_of_the_session_are_denied_but_where_they_are_allowed(tmp_path: Path) -> None:
    acme = EXAMPLE / "acme"
    plan = EXAMPLE / "plan.json"
    (own,) = [n for n in substrait_sql.effects(plan, dialect=acme).registered if "dist" in n]
    error = refused(plan, Policy(), dialect=acme)
    assert error.code == "SS4065"
    assert f"calls {own}, which Spark has not" in str(error)
    held(plan, Policy(allow_functions=["acme_*", "site_*"]), dialect=acme)
    # One that is denied, in a line of the dialect.
    evil = tmp_path / "acme"
    shutil.copytree(acme, evil)
    lines = (evil / "functions.yaml").read_text()
    (evil / "functions.yaml").write_text(
        lines.replace("upper(trim(:label))", "reflect('a', 'b', :label)")
    )
    error = refused(plan, Policy(allow_functions=["*"]), dialect=evil)
    assert "the SQL calls reflect" in str(error)


def test_extensions_are_denied_but_where_they_are_allowed() -> None:
    url = "type.googleapis.com/acme.Rows"

    @extensions.table(url)
    def rows(detail: bytes, columns: Any) -> extensions.Sql:
        return extensions.Sql("SELECT reflect('a', 'b') AS id")

    message = substrait_sql.upgrade(table("x"))
    message.relations[0].root.input.read.extension_table.detail.type_url = url
    try:
        assert refused(message, Policy()).code == "SS4066"
        # Its own text is held as well.
        error = refused(message, Policy(allow_extensions=["*/acme.*"]))
        assert (error.code, "reflect" in str(error)) == ("SS4065", True)
    finally:
        extensions.unregister(url)


# Sizes, and the policy itself ---------------------------------------------------------------------


def test_sizes(tmp_path: Path) -> None:
    plan = substrait_sql.upgrade(table("x")).SerializeToString()
    path = tmp_path / "plan.pb"
    path.write_bytes(plan)
    policy = Policy(max_plan_bytes=len(plan) - 1)
    for given in (plan, path, str(path), table("x"), substrait_sql.upgrade(plan)):
        assert refused(given, policy).code == "SS4067"
    held(path, Policy(max_plan_bytes=len(plan)))
    # A text that is too long is not read at all.
    assert refused("{" * 10_000, policy).code == "SS4067"
    sql = substrait_sql.to_sql(plan)
    assert refused(plan, Policy(max_sql_length=len(sql) - 1)).code == "SS4067"
    held(plan, Policy(max_sql_length=len(sql)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("read_table: [a]", "did you mean read_tables?"),
        ("read_tables: sales", "must be a list of texts"),
        ("read_tables: [1]", "must be a list of texts"),
        ("read_tables: ['a..b']", "no name of a table"),
        ("read_tables: ['']", "must be a list of texts"),
        ("max_plan_bytes: many", "must be a number"),
        ("max_plan_bytes: true", "must be a number"),
        ("allow_writes: 'no'", "must be true or false"),
        ("file_roots: ['s3a:x']", "relative"),
        ("file_roots: ['/data/../x']", ""),
        ("[a]", "no mapping"),
        ("a: [", "cannot be read"),
        ("allow_writes: false\nallow_writes: true", "'allow_writes' stands twice"),
        ("", "no mapping"),
    ],
)
def test_a_policy_that_is_not_right(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    if not says:
        Policy.read(path)
        return
    with pytest.raises(PolicyError, match="SS4060") as caught:
        Policy.read(path)
    assert says in str(caught.value)


def test_folders_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text("file_roots: [data, /lake, 's3a://x/y']\nallow_writes: false\n")
    policy = Policy.read(path)
    assert policy.file_roots == (str(tmp_path / "data"), "/lake", "s3a://x/y")
    assert policy.allow_writes is False
    with pytest.raises(PolicyError, match="SS4060"):
        Policy.read(tmp_path / "none.yaml")


def test_on_the_command_line(
    call: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, policy = tmp_path / "plan.pb", tmp_path / "policy.yaml"
    plan.write_bytes(substrait_sql.upgrade(table("secret")).SerializeToString())
    policy.write_text("read_tables: [orders]\n")
    # Refused before Spark starts: there is none to start.
    monkeypatch.setattr("substrait_sql.run.session.local_session", Untouchable())
    code, _, err = call("run", plan, "--policy", policy)
    assert code == 1
    assert err.startswith("SS4061 the plan reads the table secret")
    policy.write_text("reads: []\n")
    code, _, err = call("run", plan, "--policy", policy)
    assert (code, err[:6]) == (1, "SS4060")


# Spark --------------------------------------------------------------------------------------------


def test_nothing_runs_before_the_refusal(spark: SparkSession, tmp_path: Path) -> None:
    tracker = spark.sparkContext.statusTracker()
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "x.csv").write_text("id\n1\n")
    before = set(tracker.getJobIdsForGroup(None))
    made = substrait_sql.to_plan(CTAS.replace("sales.best", "policy_target"), schema=SCHEMA)
    attempts: list[tuple[Any, Policy]] = [
        (table("csv", f"{tmp_path}/t"), Policy(file_roots=["/nowhere"])),
        (call_of("reflect"), Policy()),
        (made, Policy(write_tables=["other"])),
        (made, Policy(allow_writes=False)),
    ]
    tables = {"orders": str(tmp_path / "none.parquet")}
    for plan, policy in attempts:
        with pytest.raises(SubstraitSqlError) as caught:
            execute(spark, plan, tables=tables, allow_writes=True, policy=policy)
        assert isinstance(caught.value, PolicyError)
    assert set(tracker.getJobIdsForGroup(None)) == before
    assert not spark.catalog.tableExists("policy_target")
    with pytest.raises(PolicyError, match="SS4014"):
        execute(spark, made, tables=tables, policy=Policy(allow_writes=True))


def test_what_is_allowed_runs(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, 2.0, "a")], "id INT, price DOUBLE, name STRING")
    plan = substrait_sql.to_plan("SELECT upper(name) AS n FROM orders", schema=SCHEMA)
    policy = Policy(read_tables=["orders"], deny_functions=["lower"], file_roots=[])
    result = execute(spark, plan, tables={"orders": frame}, policy=policy)
    assert [row.n for row in result.collect()] == ["A"]
