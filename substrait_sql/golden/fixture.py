"""What the fixture ``golden_sql`` is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.golden import names
from substrait_sql.rendered import Rendered

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

    from substrait_sql.golden.run import Run

_LONGEST_NAME = 4096


class GoldenSql:
    """What the fixture ``golden_sql`` is: compares the SQL of a plan with a golden file. See docs/golden_tests.md."""

    def __init__(self, request: pytest.FixtureRequest, run: Run) -> None:
        self._request = request
        self._run = run

    def __call__(
        self,
        plan: Any,
        name: str | None = None,
        *,
        dialect: str | os.PathLike[str] | None = None,
        tables: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        spark: Any = None,
    ) -> str:
        """The SQL of the plan, if it is that of the golden file. Fails the test if it is not.

        plan: whatever `substrait_sql.render` takes, or what it or `substrait_sql.to_sql` gave. The golden file of a
        path is beside it, as that of ``render --beside``; of anything else it is
        ``__golden__/<file of the test>/<test>.sql``.
        name: instead of that of the test, or of the plan's file: ``__golden__/<file of the test>/<name>.sql``.
        dialect: another than the usual one of the project; it is in the file's name.
        tables: a folder, or tables by name, as in `substrait_sql.execute`; if the texts differ, both are run and their
        rows compared.
        spark: the session to do that in; that of the project by default.

        Raises what `substrait_sql.render` does for a plan without SQL.
        """
        from substrait_sql import pipeline
        from substrait_sql.arguments import expect
        from substrait_sql.golden.case import Case

        __tracebackhide__ = True
        expect("name", name, str, "the name of the golden file")
        settings = self._run.settings
        known = settings.known(settings.dialect) if dialect is None else dialect
        chosen = settings.dialect if dialect is None else os.fspath(dialect)
        path = _path_of(plan)
        try:
            sql = _text_of(plan) or pipeline.to_sql(plan, dialect=known)
        except SubstraitSqlError as error:
            raise error.with_traceback(None) from None
        if name is None and path is not None:
            golden, label = settings.golden_of_plan(path, chosen), self._run.shown(path)
        else:
            golden = names.of_test(self._request.path, self._parts(name), chosen, settings.dialect)
            label = names.shown_text(self._request.node.nodeid)
        given = settings.tables if tables is None else tables
        self._run.check(
            Case(golden, sql, plan, label, known, self._request.node.nodeid, given, spark)
        )
        return sql

    def _parts(self, name: str | None) -> list[str]:
        """The name of the golden file: the class and the test, if nobody has given one."""
        if name is not None:
            return [name]
        node = self._request.node
        classes = [n.name for n in node.listchain() if type(n).__name__ == "Class"]
        return [*classes, node.name]


def _text_of(plan: Any) -> str:
    """SQL that was rendered already, else nothing."""
    if isinstance(plan, Rendered):
        return plan.sql
    if isinstance(plan, str) and _path_of(plan) is None:
        from substrait_sql.review.diff.sides import sql_of

        return sql_of(plan) or ""
    return ""


def _path_of(plan: Any) -> Path | None:
    """The file of a plan that is one."""
    if isinstance(plan, os.PathLike):
        return Path(os.path.abspath(os.fsdecode(plan)))
    if isinstance(plan, str) and len(plan) < _LONGEST_NAME and "\n" not in plan:
        return Path(os.path.abspath(plan)) if os.path.isfile(plan) else None
    return None
