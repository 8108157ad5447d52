"""What differs among the releases of sqlglot that we work with: names of parts and of tokens, and how `%` binds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot import tokens as sqlglot_tokens
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError

from substrait_sql.tree import joins

if TYPE_CHECKING:
    from sqlglot.dialects.dialect import DialectType

# Sqlglot does not say that it exports it.
_KINDS: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009
_MOD = _KINDS.MOD
# The sign ~, which the first releases spell otherwise.
TILDE = _KINDS.TILDE if "TILDE" in _KINDS.__members__ else _KINDS.TILDA

# Before 28 they are named as in SQL.
FROM = "from_" if "from_" in exp.Select.arg_types else "from"
WITH = "with_" if "with_" in exp.Select.arg_types else "with"


def parse(text: str, dialect: DialectType) -> list[Any]:
    """The statements of a text as sqlglot's trees, None for an empty one. Raises sqlglot's errors."""
    grammar = Dialect.get_or_raise(dialect)
    try:
        return parsed(grammar.parser(), grammar.tokenize(text), text)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # Its parser fails so over some texts that are no SQL: ``map(1, 2, 3)``.
        raise ParseError("the text cannot be read") from error


def parsed(parser: Any, tokens: list[Any], text: str) -> list[Any]:
    """The same of tokens. `a - b % c` is `a - (b % c)`, as in Spark: many releases read `(a - b) % c` there."""
    ready = joins.marked(tokens)
    found: list[Any] = parser.parse(ready, text)
    if len(ready) > len(tokens):
        for each in filter(None, found):
            joins.unmarked(each, has_on=parser.ADD_JOIN_ON_TRUE)
    if _MOD in parser.TERM:
        return [each if each is None else _bound(each) for each in found]
    return found


_BINDS: dict[type, int] = {
    exp.Add: 0,
    exp.Sub: 0,
    exp.Mod: 1,
    exp.Mul: 1,
    exp.Div: 1,
    exp.IntDiv: 1,
}


def _bound(tree: Any) -> Any:
    """The tree with chains of these operators put together anew. Changes the tree."""
    tops = [n for n in tree.find_all(*_BINDS) if type(n.parent) not in _BINDS]
    for top in reversed(tops):
        at, parent, index = top.arg_key, top.parent, top.index
        parts = _flat(top)
        if not any(isinstance(n, exp.Mod) for n in parts[1::2]):
            continue
        made = _rebuilt(parts)
        if parent is None:
            tree = made
            made.parent = None
        else:
            parent.set(at, made, index)
    return tree


def _flat(top: Any) -> list[Any]:
    """Operands and operators as they stand in the text."""
    out: list[Any] = []
    stack = [(top, False)]
    while stack:
        node, opened = stack.pop()
        if opened or type(node) not in _BINDS:
            out.append(node)
        else:
            stack += [(node.expression, False), (node, True), (node.this, False)]
    return out


def _rebuilt(parts: list[Any]) -> Any:
    operands: list[Any] = [parts[0]]
    waiting: list[Any] = []
    for operator, operand in [*zip(parts[1::2], parts[2::2], strict=True), (None, None)]:
        level = -1 if operator is None else _BINDS[type(operator)]
        while waiting and _BINDS[type(waiting[-1])] >= level:
            done, right, left = waiting.pop(), operands.pop(), operands.pop()
            done.set("this", left)
            done.set("expression", right)
            operands.append(done)
        waiting.append(operator)
        operands.append(operand)
    return operands[0]


def parse_one(text: str, dialect: DialectType) -> exp.Expression:
    """The only statement of a text as sqlglot's tree. Raises sqlglot's errors, also for none."""
    found = [each for each in parse(text, dialect) if each is not None]
    if len(found) != 1:
        raise ParseError(f"{len(found)} statements where one is wanted")
    only: exp.Expression = found[0]
    return only
