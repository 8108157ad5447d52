"""The classes: what every dialect has to keep. Nothing here needs an engine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from sqlglot import exp

from substrait_sql import demo, pipeline
from substrait_sql.dialect.custom.compared import LOST, differences, with_parent
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import UnsupportedError
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

HOSTILE = (
    "'", '"', "`", "\\", "\\'", "'; DROP TABLE t; --", "*/ /*", "${env:HOME}", "{{ 7 * 7 }}", ":p1", "?", "%s",
    "\n", "\x00", "é😀", "select", "a.b", "",
)  # fmt: skip
"""Texts that leave their quotes where quoting is not right, or are taken for something else."""


class OfDialect:
    """What all of them have."""

    dialect: ClassVar[str | PathLike[str]] = ""
    """The name of the dialect, or its folder."""


class Folder(OfDialect):
    """The folder is right as a whole, and says why what it loses is lost."""

    def test_it_is_read(self) -> None:
        """Everything in the folder is checked when it is read. Raises `DialectError` with all that is wrong."""
        assert load(self.dialect).target.printer

    def test_what_is_lost_has_a_reason(self) -> None:
        """Against the dialect that it extends."""
        own, parent = with_parent(self.dialect)
        lost = [d for d in differences(own, parent) if d.what == LOST] if parent else []
        silent = [str(d) for d in lost if not d.why]
        assert not silent, "\n".join(silent)

    def test_its_templates_are_read(self) -> None:
        """The statements around a query, of the dialect's own templates where it has some."""
        for kind in ("view", "ctas", "insert", "overwrite"):
            made = pipeline.render(demo.PLAN, dialect=self.dialect, statement=kind, name="t")
            assert made.statements, kind


class Relations(OfDialect):
    """Plans become one statement each, which the dialect's own grammar reads."""

    plans: ClassVar[Sequence[Any]] = ()
    """More plans than that of the demo, each anything that `substrait_sql.render` takes."""

    def test_plans_become_statements(self) -> None:
        """The plan of the demo has joins, groups, a sort and a limit."""
        printer = load(self.dialect).target.grammar
        for plan in (demo.PLAN, *self.plans):
            for statement in pipeline.render(plan, dialect=self.dialect).statements:
                assert len(releases.parse(statement.sql, printer)) == 1


class TextSafety(OfDialect):
    """Nothing in a text or a name leaves its quotes."""

    def test_texts_come_back(self) -> None:
        """Read by the dialect's own grammar, a literal is the text that the plan has."""
        for text in HOSTILE:
            tree = self._tree(text, "c")
            found = [n.this for n in tree.find_all(exp.Literal) if n.is_string]
            # Some releases of sqlglot leave these escapes as they stand.
            found += [re.sub(r"\\u(00..)", lambda m: chr(int(m[1], 16)), each) for each in found]
            assert text in ("", *found), (text, tree.sql())

    def test_names_come_back(self) -> None:
        """Likewise a name, if it is not refused."""
        for name in filter(str.isprintable, filter(None, HOSTILE)):
            try:
                tree = self._tree("x", name)
            except UnsupportedError:
                continue
            assert name in {n.this for n in tree.find_all(exp.Identifier)}, (name, tree.sql())

    def _tree(self, text: str, name: str) -> exp.Expression:
        sql = pipeline.to_sql(_plan(text, name), dialect=self.dialect)
        found = releases.parse(sql, load(self.dialect).target.grammar)
        assert len(found) == 1, sql
        tree = found[0]
        assert isinstance(tree, exp.Expression), sql
        return tree


def _plan(text: str, name: str) -> dict[str, Any]:
    """One row of one text, in a column of that name."""
    required = "NULLABILITY_REQUIRED"
    struct = {"types": [{"string": {"nullability": required}}], "nullability": required}
    rows = {"expressions": [{"fields": [{"literal": {"string": text}}]}]}
    read = {"baseSchema": {"names": ["c"], "struct": struct}, "virtualTable": rows}
    root = {"names": [name], "input": {"read": read}}
    return {"version": {"minorNumber": 80}, "relations": [{"root": root}]}
