"""Comments for readers: why an expression is not the one that they would have written.

While a text is printed, a mark stands for the comment, which is a line of its own once the lines are settled.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.text.printer import REMARKS
from substrait_sql.tree import releases
from substrait_sql.tree.compare import same_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.text.printer import Handler, Handlers

CUT_OFF = "the quotient is cut off, where / would round"
BY_ZERO = "a quotient by zero is infinite or NaN, where / would fail"
TOTAL = "over no rows there is a total, too, which Spark's grouping sets leave out"
OUTER = "the outer values of a subquery that Spark cannot run once per row"
_MARKS = dict(zip((CUT_OFF, BY_ZERO, TOTAL, OUTER), REMARKS, strict=True))
_OF_VALUES = re.compile(r"\w+_values(_\d+)?")


class Remarks:
    """Puts marks into a text. said: what the SELECT that is being printed has already."""

    def __init__(self) -> None:
        self.said: frozenset[str] = frozenset()

    def handlers(self, known: Handlers) -> Handlers:
        """Those of the nodes that there is something to say of. known: what prints them."""
        return {
            exp.Anonymous: self._about(known[exp.Anonymous], BY_ZERO, is_unless_zero),
            exp.Distinct: self._about(known[exp.Distinct], OUTER, is_outer_values),
            exp.Cast: self._about(known[exp.Cast], CUT_OFF, is_cut_off),
            exp.Join: self._about(known[exp.Join], TOTAL, is_total),
            exp.Mul: self._about(known[exp.Mul], CUT_OFF, is_cut_off),
        }

    def _about(self, handler: Handler, remark: str, holds: Callable[[exp.Expr], bool]) -> Handler:
        def handle(printer: Any, node: exp.Expr) -> str:
            text = handler(printer, node)
            if not holds(node) or remark in self.said:
                return text
            self.said |= {remark}
            # Behind a character: whoever breaks lines looks at how an expression begins.
            return f"{text[0]}{_MARKS[remark]}{text[1:]}"

        return handle


def remarks_of(text: str) -> tuple[str, dict[int, list[str]]]:
    """The text without marks, and the comments that are to stand above some of its lines, by their numbers."""
    found: dict[int, list[str]] = {}
    for remark, mark in _MARKS.items():
        if mark in text:
            for i, line in enumerate(text.split("\n")):
                if mark in line:
                    found.setdefault(i, []).append(remark)
            text = text.replace(mark, "")
    return text, found


def is_total(node: exp.Expr) -> bool:
    """Whether it is ``FULL JOIN (SELECT 1) AS one_row ON TRUE``, behind a derived table of grouping sets."""
    row = node.this.this if isinstance(node.this, exp.Subquery) else None
    only = (
        row.expressions if isinstance(row, exp.Select) and not row.args.get(releases.FROM) else []
    )
    return node.args.get("side") == "FULL" and len(only) == 1 and isinstance(only[0], exp.Literal)


def is_outer_values(node: exp.Expr) -> bool:
    """Whether it is ``WITH x_values AS (SELECT DISTINCT a, b FROM x)``, which `lower.unnest` joins with queries inside.

    Their rows meet those of the query around by ``IS NOT DISTINCT FROM``.
    """
    select = node.parent
    if not isinstance(select, exp.Select):
        return False
    cte, whole = select.parent, select.parent_select
    if whole is None or not isinstance(cte, exp.CTE) or not _OF_VALUES.fullmatch(cte.alias):
        return False
    said = {key for key, value in select.args.items() if value}
    if said != {"distinct", "expressions", releases.FROM}:
        return False
    if not all(isinstance(each, exp.Column) for each in select.expressions):
        return False
    readers = [t.parent_select for t in whole.find_all(exp.Table) if t.name == cte.alias]
    inside = all(r is not None and r is not whole and r.args.get("joins") for r in readers)
    return bool(readers) and inside and whole.find(exp.NullSafeEQ) is not None


def is_unless_zero(node: exp.Expr) -> bool:
    """Whether it is ``coalesce(try_divide(x, y), x * power(y, -1))``, as `dialect.rules.numbers` writes ``x / y``."""
    if not isinstance(node, exp.Anonymous) or node.name != "coalesce" or len(node.expressions) != 2:
        return False
    quotient, otherwise = node.expressions
    names = quotient.name, otherwise.expression.name if isinstance(otherwise, exp.Mul) else ""
    return names == ("try_divide", "power")


def is_cut_off(node: exp.Expr) -> bool:
    """Whether it is one of the forms of `dialect.rules.quotients`, whoever wrote it; no other has that value.

    ``CAST((x - x % (y * 0.01)) / y AS DECIMAL(9, 2))``, ``CAST((x * 100 - x * 100 % y) / y AS DECIMAL(9, 0)) * 0.01``,
    ``x * 100 DIV y * 0.01``.
    """
    if isinstance(node, exp.Cast):
        return _has_lost_its_rest(node.this, unit=True)
    if not isinstance(node, exp.Mul) or not _is_unit(node.expression):
        return False
    quotient = node.this
    if isinstance(quotient, exp.IntDiv):
        return isinstance(quotient.this, exp.Mul) and _is_power(quotient.this.expression)
    return isinstance(quotient, exp.Cast) and _has_lost_its_rest(quotient.this, unit=False)


def _has_lost_its_rest(node: Any, unit: bool) -> bool:
    """``(x - x % y) / y``. unit: the rest is one of y times the last place that is kept."""
    if not isinstance(node, exp.Div):
        return False
    less = _inside(node.this)
    if not isinstance(less, exp.Sub) or not isinstance(less.expression, exp.Mod):
        return False
    rest = less.expression
    divisor = _inside(rest.expression)
    if unit:
        if not isinstance(divisor, exp.Mul) or not _is_unit(divisor.expression):
            return False
        divisor = divisor.this
    return _are_same(less.this, rest.this) and _are_same(node.expression, divisor)


def _are_same(a: exp.Expression, b: exp.Expression) -> bool:
    """Whether they say the same, be it that the first one says how long that is."""
    return same_text(a, b) or (isinstance(a, exp.Cast) and same_text(_inside(a.this), _inside(b)))


def _inside(node: Any) -> Any:
    """What stands in parentheses."""
    while isinstance(node, (exp.Paren, exp.Tuple)):
        (node,) = node.expressions if isinstance(node, exp.Tuple) else [node.this]
    return node


def _is_unit(node: Any) -> bool:
    """``0.001``."""
    return isinstance(node, exp.Literal) and node.name[:2] == "0." and node.name.strip("0.") == "1"


def _is_power(node: Any) -> bool:
    """``1000``."""
    return isinstance(node, exp.Literal) and node.name[:1] == "1" and not node.name[1:].strip("0")
