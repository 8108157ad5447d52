"""The official function cases for a dialect: as SQL, and as rows where there is a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from substrait_sql import pipeline
from substrait_sql.dialect.custom.compared import LOST, differences, with_parent
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.testing.cases import plans, read
from substrait_sql.testing.cases.contradictions import verdict
from substrait_sql.testing.cases.run import WRONG, run
from substrait_sql.testing.classes import OfDialect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from substrait_sql.testing.cases.read import Case

# A type that the dialect does not list, an option that its line does not deliver, a reason that its line gives.
_SAID = ("SS2301", "SS2302", "SS2221", "SS2222")


class FunctionCases(OfDialect):
    """The cases that Substrait publishes of its functions, more than 1,300."""

    files: ClassVar[tuple[str, ...]] = ()
    """Files of cases whose name holds one of these texts; all files if there is none."""

    wrong: ClassVar[tuple[str, ...]] = ()
    """Parts of cases, as they are written, for which the engine has other rows; they are left out."""

    def session(self) -> Any:
        """A Spark session of the engine to run the cases in; None for none."""
        return None

    def test_each_is_sql_or_refused(self) -> None:
        """Nothing but our errors. What the dialect extends has SQL for is refused if the dialect lists it as lost."""
        own, parent = with_parent(self.dialect)
        lost = {d.name for d in differences(own, parent) if d.what == LOST} if parent else set()
        unlisted = []
        for case in self._cases():
            why = _refusal(case, self.dialect)
            if why is None or parent is None or why.code in _SAID or _names(case.call) & lost:
                continue
            if _refusal(case, parent.name) is None:
                unlisted.append(f"{case}: {why}")
        assert not unlisted, "\n".join(unlisted)

    def test_rows(self) -> None:
        """The rows are those of the cases, in the session; skipped without one."""
        import pytest

        spark = self.session()
        if spark is None:
            pytest.skip("session() gives none")
        cases = [c for c in self._cases() if not any(text in c.text for text in self.wrong)]
        outcomes = run(spark, cases, self.dialect)
        wrong = [str(o) for o in outcomes if verdict(o) == WRONG]
        assert not wrong, "\n".join(wrong)

    def _cases(self) -> Iterator[Case]:
        for name, path in read.official().items():
            if not self.files or any(text in name for text in self.files):
                yield from read.cases(name, path)


def _refusal(case: Case, dialect: str | PathLike[str]) -> Any:
    """What is said of a call over columns and, if that is refused, over constants; None if there is SQL."""
    found = None
    for form in ("column", "literal") if case.kind == "scalar" else (case.kind,):
        try:
            make = plans.scalar if case.kind == "scalar" else plans.together
            pipeline.to_sql(make([case], form), dialect=dialect)
        except SubstraitSqlError as error:
            found = error.diagnostics[0]
        else:
            return None
    return found


def _names(call: read.Function) -> set[str]:
    """The functions of a call and of the calls in it."""
    inner = (a.body if isinstance(a, read.Lambda) else a for a in call.args)
    return {call.name}.union(*(_names(a) for a in inner if isinstance(a, read.Function)))
