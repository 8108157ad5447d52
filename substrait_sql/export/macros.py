"""Plans as macros of a dbt package: ``{{ substrait_sql.plan('plans/q3.pb') }}`` in a model is the query of a plan."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from substrait_sql import wire
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import refuse
from substrait_sql.export.jinja import filled, quoted
from substrait_sql.export.model import query_of
from substrait_sql.export.names import Sources, word
from substrait_sql.export.project import MADE, session_macro, tables_of
from substrait_sql.export.split import whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PACKAGE = "substrait_sql"


def package_of(
    plans: Mapping[str, Any], dialect: str, schema: Sequence[str]
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The files of a package by their places in it, and its sources. plans: by what `plan` is to be called with.

    Raises `SubstraitSqlError`; SS6105 where two plans have one name.
    """
    rules = load(dialect)
    sources = Sources(rules.names, schema)
    files: dict[str, str] = {}
    known: list[tuple[list[str], str]] = []
    for label, plan in plans.items():
        name = word(PurePath(label).stem)
        parts = whole(wire.read(plan), rules)
        for n, part in enumerate(parts, 1):
            own = name if len(parts) == 1 else f"{name}_{n}"
            place = f"macros/plans/{own}.sql"
            if place in files:
                raise refuse(
                    "SS6105", f"two plans would be the macro {own}", label, "rename a file"
                )
            query = query_of(part, rules, {}, f"{own}_", sources.add, f"{PACKAGE}.")
            files[place] = filled(
                "plan.sql", made=MADE, name=own, query=query.text, times=query.times
            )
            known.append(([quoted(own), *([quoted(label)] if len(parts) == 1 else [])], own))
    files["macros/plan.sql"] = filled("plans.sql", made=MADE, known=known)
    files["macros/substrait_sql.sql"] = session_macro(rules, f"{PACKAGE}.")
    files["dbt_project.yml"] = f"# {MADE}. Changes here are written over.\n" + filled(
        "dbt_project.yml", name=PACKAGE
    )
    return files, tables_of(sources, rules)
