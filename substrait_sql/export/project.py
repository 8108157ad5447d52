"""The models of plans, and the files that say them to dbt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql import wire
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import refuse
from substrait_sql.export.jinja import escaped, filled, quoted
from substrait_sql.export.model import query_of
from substrait_sql.export.names import Sources, word
from substrait_sql.export.split import split
from substrait_sql.select.output_names import unique
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.export.model import Query
    from substrait_sql.export.split import Part
    from substrait_sql.rendered import Column

MADE = "Made by substrait-sql"
"""What the first line of each file says that may be written again."""
FOLDER = "models/substrait"
_RISKY = 20_000
# How deep parentheses may be for dbt's reader of SQL, and how long a text.
_DEEP = 60


@dataclass
class Model:
    """One model. plan: the name of the plan that it is of. settled: it has to be a table."""

    name: str
    plan: str
    query: Query
    result: bool
    settled: bool
    also: list[str] = field(default_factory=list)
    materialized: str = ""


@dataclass(frozen=True)
class Project:
    """All that becomes files."""

    models: tuple[Model, ...]
    sources: Sources
    dialect: Dialect


def project_of(
    plans: Mapping[str, Any], dialect: str, schema: Sequence[str], materialized: str
) -> Project:
    """The models of plans by their names. Raises `SubstraitSqlError`; SS6105 where two would have one name."""
    rules = load(dialect)
    sources = Sources(rules.names, schema)
    taken: set[str] = set()
    models: list[Model] = []
    for label, plan in plans.items():
        parts = split(wire.read(plan), rules)
        models += _models(word(label), parts, rules, sources, taken, models)
    _require_no_table(models)
    _materialize(models, materialized)
    return Project(tuple(models), sources, rules)


def _require_no_table(models: Sequence[Model]) -> None:
    """No model has the name of a table that is read: in one schema dbt would drop the table for it."""
    read = {t.names[-1].casefold() for m in models for t in m.query.tables if not t.reader}
    for model in models:
        if model.name.casefold() in read:
            raise refuse(
                "SS6108",
                f"the model {model.name} would have the name of a table that is read, and dbt could replace it",
                ROOT,
                "rename the plan's file",
            )


def _models(
    plan: str,
    parts: Sequence[Part],
    rules: Dialect,
    sources: Sources,
    taken: set[str],
    before: Sequence[Model],
) -> list[Model]:
    """The models of a plan that are not there yet."""
    results = sorted(part.index for part in parts if part.result)
    several = len(results) > 1
    own = {i: f"{plan}_{n}" if several else plan for n, i in enumerate(results, 1)}
    clash = taken.intersection(own.values())
    if clash:
        raise refuse(
            "SS6105", f"two plans would be the model {min(clash)}", plan, "rename one of the files"
        )
    taken.update(own.values())
    names: dict[tuple[str, ...], str] = {}
    made: list[Model] = []
    for part in parts:
        query = query_of(part, rules, names, f"{plan}_", sources.add)
        settled = part.subtree is not None and part.subtree.varies
        name = own.get(part.index, "")
        if part.subtree is not None:
            equal = None if name or settled else _equal(query, [*before, *made])
            if equal is not None:
                names[part.subtree.key] = equal.name
                if plan not in (equal.plan, *equal.also):
                    equal.also.append(plan)
                continue
            name = name or unique(f"{plan}__{word(part.subtree.base)}", taken)
            names[part.subtree.key] = name
        made.append(Model(name, plan, query, part.result, settled))
    return made


def _equal(query: Query, models: Iterable[Model]) -> Model | None:
    """A shared model of the same text and columns."""
    for model in models:
        same = (model.query.text, model.query.columns) == (query.text, query.columns)
        if same and not model.result and not model.settled:
            return model
    return None


def _materialize(models: Sequence[Model], wanted: str) -> None:
    """Decides what each model is made as.

    dbt puts the texts of ephemeral models into those that read them, with a reader of SQL that does not know Spark's
    escapes and stops at long texts: what such a text reads is a table.
    """
    hard = {name for m in models if _is_hard(m.query.text) for name in m.query.reads}
    for model in models:
        if model.settled or (not model.result and model.name in hard):
            model.materialized = "table"
        else:
            model.materialized = wanted if model.result else "ephemeral"


def _is_hard(text: str) -> bool:
    depth = most = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        most = max(most, depth)
    return "\\" in text or ";" in text or len(text) > _RISKY or most > _DEEP


def files_of(project: Project) -> dict[str, str]:
    """The files of the models, by their places in the project."""
    found: dict[str, str] = {}
    for model in project.models:
        found[f"{FOLDER}/{model.name}.sql"] = filled(
            "model.sql", made=MADE, plan=model.plan, query=model.query.text
        )
        found[f"{FOLDER}/{model.name}.yml"] = as_yaml({"models": [_described(model, project)]})
    found["macros/substrait_sql.sql"] = session_macro(project.dialect)
    return found


def session_macro(dialect: Dialect, package: str = "") -> str:
    """The macros that models call. package: see `query_of`."""
    settings = dialect.settings
    always = settings.always
    times = {k: v for k, v in settings.with_times.items() if k not in always}
    return filled(
        "macros.sql",
        made=MADE,
        package=package,
        always=[(quoted(k), quoted(v)) for k, v in always.items()],
        times=[(quoted(k), quoted(v)) for k, v in times.items()],
    )


def sources_of(project: Project) -> list[dict[str, Any]]:
    """The sources as dbt's files have them."""
    return tables_of(project.sources, project.dialect)


def tables_of(sources: Sources, dialect: Dialect) -> list[dict[str, Any]]:
    """The sources as dbt's files have them. dialect: of the names."""
    found: list[dict[str, Any]] = []
    for group in sources:
        tables = [
            {
                "name": table.name,
                "identifier": escaped(table.text),
                "columns": [_column(c, dialect) for c in table.columns()],
            }
            for table in group.tables()
        ]
        found.append(
            {
                "name": group.name,
                "schema": escaped(group.schema),
                # The names are written as Spark reads them already.
                "quoting": {"schema": False, "identifier": False},
                "tables": tables,
            }
        )
    return found


def _described(model: Model, project: Project) -> dict[str, Any]:
    config: dict[str, Any] = {"materialized": model.materialized}
    if model.materialized != "ephemeral":
        typed = all(c.spark_type for c in model.query.columns)
        config["contract"] = {"enforced": typed}
        config["meta"] = {"substrait_sql": True}
        times = "true" if model.query.times else ""
        config["pre_hook"] = f"{{{{ substrait_sql_session({times}) }}}}"
    what = "The result" if model.result else "A relation that is read several times,"
    owners = ", ".join(sorted([model.plan, *model.also]))
    described: dict[str, Any] = {"name": model.name, "description": f"{what} of {owners}."}
    if model.query.parameters:
        told = ", ".join(f"{n} ({kind})" for n, kind in model.query.parameters.items())
        described["description"] += f" Variables: {told}."
    described["config"] = config
    described["columns"] = [_column(c, project.dialect) for c in model.query.columns]
    return described


def _column(column: Column, dialect: Dialect) -> dict[str, Any]:
    names = dialect.names
    plain = names.is_safe(column.name)
    # dbt puts the quotes on, and does not double those inside.
    inside = column.name if plain else names.in_quotes(column.name)[1:-1]
    found: dict[str, Any] = {"name": escaped(inside)}
    if not plain:
        found["quote"] = True
    if column.spark_type:
        found["data_type"] = escaped(column.spark_type)
    found["description"] = escaped(column.type)
    # dbt reads the name in a test as Jinja once more.
    if is_required(column.type) and escaped(column.name) == column.name:
        found["data_tests"] = ["not_null"]
    return found


def is_required(kind: str) -> bool:
    """Whether a type as text says that there are no NULLs.

    >>> is_required("decimal<15, 2>"), is_required("decimal?<15, 2>"), is_required("unknown")
    (True, False, False)
    """
    return kind != "unknown" and not kind.partition("<")[0].endswith("?")


def as_yaml(content: Mapping[str, Any]) -> str:
    """A file of properties."""
    text = yaml.safe_dump(
        {"version": 2, **content}, sort_keys=False, allow_unicode=True, width=10_000
    )
    return f"# {MADE}. Changes here are written over.\n{text}"
