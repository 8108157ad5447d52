"""Operators.

Which sqlglot class prints which, how tightly each binds, and where parentheses are needed.

sqlglot's printer adds no parentheses of its own, so every operand goes through
`operand`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.schema.types import kind

if TYPE_CHECKING:
    from collections.abc import Sequence

Node = exp.Expression

INTEGER_SUFFIXES = {"i8": "Y", "i16": "S", "i64": "L"}
"""What stands behind a whole number of each type; it is an INT without."""

OR, AND, NOT, PREDICATE, BITS, SUM, PRODUCT, UNARY, ATOM = range(1, 10)

# Spark's grammar ranks & over ^ over |, sqlglot's parser does not: they share a level here and are
# never mixed bare.
_LEVELS: dict[type[Node], int] = {
    exp.Or: OR,
    exp.And: AND,
    exp.Not: NOT,
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), PREDICATE),
    **dict.fromkeys((exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is, exp.In, exp.Between), PREDICATE),
    **dict.fromkeys((exp.Like, exp.ILike, exp.RegexpLike, exp.Escape, exp.Exists), PREDICATE),
    **dict.fromkeys((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor), BITS),
    **dict.fromkeys((exp.Add, exp.Sub, exp.DPipe), SUM),
    **dict.fromkeys((exp.Mul, exp.Div, exp.IntDiv, exp.Mod), PRODUCT),
    **dict.fromkeys((exp.Neg, exp.BitwiseNot), UNARY),
    # Not expressions at all, or open to the right: as an operand they always need parentheses.
    **dict.fromkeys((exp.Lambda, exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Alias), 0),
}

# What stands bare under every operator.
_ATOMS = frozenset({exp.Column, exp.Anonymous, exp.Cast, exp.Case})

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ)

INFIX: dict[str, type[Node]] = {
    "+": exp.Add, "-": exp.Sub, "*": exp.Mul, "/": exp.Div, "%": exp.Mod, "div": exp.IntDiv,
    "=": exp.EQ, "<>": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
    "is not distinct from": exp.NullSafeEQ, "is distinct from": exp.NullSafeNEQ,
    "&": exp.BitwiseAnd, "|": exp.BitwiseOr, "^": exp.BitwiseXor, "and": exp.And, "or": exp.Or,
    "like": exp.Like, "ilike": exp.ILike,
}  # fmt: skip
PREFIX: dict[str, type[Node]] = {"-": exp.Neg, "~": exp.BitwiseNot, "not": exp.Not}


def precedence(node: Node) -> int:
    """How tightly a node binds.

    `OR` least, `ATOM` (columns, calls, CASE, anything in parentheses) most.
    """
    level = _LEVELS.get(type(node), ATOM)
    if type(node) is exp.Introducer and type(node.this) is not exp.Var:
        return PREDICATE  # NOT LIKE and NOT IN, see `negated`
    if level == ATOM and type(node) is exp.Literal and not node.args["is_string"]:
        return UNARY if node.args["this"].startswith("-") else ATOM
    return level


def paren(node: Node) -> Node:
    """The node in parentheses.

    A tuple of one, which stays on one line unless it is too long for that.
    """
    return exp.Tuple(expressions=[node])


def operand(node: Node, parent: type[Node], side: str = "left") -> Node:
    """The node as it may stand under an operator of class ``parent``.

    In parentheses only where they are needed.

    side: ``left``, ``right`` or ``only``. ``a + b * c`` stays bare; ``(a + b) * c``, ``a - (b -
    c)``, ``(a = b) = c`` do not.
    """
    own = _LEVELS.get(parent, ATOM)
    level = precedence(node)
    if own <= AND:
        # An AND inside an OR needs none, but no reader should have to know that.
        bare = level >= own and not (own == OR and level == AND)
    elif own == NOT:
        bare = level >= NOT and not isinstance(node, _COMPARISONS)
    elif own == PREDICATE:
        bare = level > PREDICATE
    elif own == BITS:
        bare = level > BITS or (side == "left" and type(node) is parent)
    elif own in (SUM, PRODUCT):
        bare = level > own or (side == "left" and level == own)
    else:
        # Not even under itself: `~~x` reads as LIKE elsewhere, and `--x` is a comment.
        bare = level > own
    return node if bare else paren(node)


def infix(cls: type[Node], left: Node, right: Node) -> Node:
    """``left <operator> right`` with the parentheses that takes. cls: one of `INFIX`."""
    return cls(
        this=left if type(left) in _ATOMS else operand(left, cls, "left"),
        expression=right if type(right) in _ATOMS else operand(right, cls, "right"),
    )


def prefix(cls: type[Node], node: Node) -> Node:
    """``<operator> node`` with the parentheses that takes; a negation where SQL has a word for it."""
    if cls is exp.Not:
        return negated(node)
    return cls(this=operand(node, cls, "only"))


def negated(node: Node) -> Node:
    """``NOT node``, as a person writes it: ``a <> b``, ``a NOT LIKE b``, ``a NOT IN (1, 2)``, ``a IS NOT NULL``.

    Each is NULL exactly where the plain form is. sqlglot has no nodes for those in the middle, nor for NOT BETWEEN.
    """
    if type(node) is exp.EQ:
        return exp.NEQ(this=node.this, expression=node.expression)
    if type(node) is exp.NEQ:
        return exp.EQ(this=node.this, expression=node.expression)
    if type(node) is exp.Like:
        return _worded(node.this, "NOT LIKE", node.expression)
    if type(node) is exp.In:
        query = node.args.get("query")
        listed: Node = query if query is not None else exp.Tuple(expressions=node.expressions)
        return _worded(node.this, "NOT IN", listed)
    if type(node) is exp.Between and type(node.this) is not exp.Introducer:
        outside: Node = exp.Introducer(this=node.this, expression=exp.Var(this="NOT"))
        return exp.Between(this=outside, low=node.args["low"], high=node.args["high"])
    if type(node) is exp.Is and isinstance(node.expression, exp.Null):
        return exp.Is(this=node.this, expression=exp.Not(this=node.expression))
    return exp.Not(this=operand(node, exp.Not, "only"))


def _worded(left: Node, words: str, right: Node) -> Node:
    """``left WORDS right``: an introducer is printed as its two parts, one behind the other."""
    tail: Node = exp.Introducer(this=exp.Var(this=words), expression=right)
    return exp.Introducer(this=left, expression=tail)


def fold(cls: type[Node], nodes: Sequence[Node]) -> Node:
    """``a <operator> b <operator> c …``, grouped from the left; ``nodes`` holds at least one."""
    out = nodes[0]
    for node in nodes[1:]:
        out = infix(cls, out, node)
    return out


def call(name: str, *arguments: Node) -> Node:
    """A function under exactly this name.

    Sqlglot prints what it is given and makes nothing else of it.
    """
    return exp.Anonymous(this=name, expressions=list(arguments))


def unless_null(node: Node, made: Node) -> Node:
    """``CASE WHEN node IS NOT NULL THEN made END``."""
    return exp.Case(ifs=[exp.If(this=is_null(node, negated=True), true=made)])


def is_null(node: Node, *, negated: bool = False) -> Node:
    """``node IS [NOT] NULL``.

    The NOT sits inside because sqlglot prints the other form as ``NOT node IS NULL``.
    """
    null: Node = exp.Null()
    return exp.Is(this=operand(node, exp.Is), expression=exp.Not(this=null) if negated else null)


def cast(node: Node, target: Node) -> Node:
    """``CAST(node AS target)``; `dialect.types.type_node` makes targets."""
    return exp.Cast(this=node, to=target)


def is_bare_decimal(node: Node | None, type: Any) -> bool:
    """Whether a decimal without places is written as ``0``, which nothing in the text says to be one.

    Beside a decimal it is one, by its digits. By itself Spark reads an INT, whose sum is a BIGINT.
    """
    number = isinstance(node, exp.Literal) and not node.is_string
    return number and kind(type) == "decimal" and "." not in node.name  # type: ignore[union-attr]


def suffixed(node: Node) -> Node:
    """The number as a decimal: ``0BD``."""
    return exp.Var(this=f"{node.name}BD")
