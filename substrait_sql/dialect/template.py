"""Templates: SQL text with ``:names`` for arguments, read once, then built as often as wanted.

    Template(":x IS NULL", ["x"]).build([a])                  a IS NULL
    Template("locate(:part, :whole)", ["whole", "part"])      takes the arguments in the order of
    the names given
    Template("CASE WHEN :x < 0 THEN 0 ELSE :result END", ["x"]).around(sqrt_of_a, [a])

The text stays at hand: matching SQL on the way back needs it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

from sqlglot import exp

from substrait_sql.dialect.operators import Node, operand
from substrait_sql.tree import releases
from substrait_sql.tree.copies import clone

# A text in quotes, where nothing is a call, or the beginning of a call.
_CALL = re.compile(r"'(?:[^'\\]|\\.|'')*'|(?<![\w`:'])([a-z_]\w*)\s*\(", re.IGNORECASE)
_SYNTAX = frozenset(
    [
        "cast",
        "try_cast",
        "decimal",
        "extract",
        "and",
        "or",
        "not",
        "in",
        "when",
        "then",
        "else",
        "case",
        "is",
        "like",
        "between",
        "over",
        "filter",
        "on",
        "from",
        "group",
    ]
)
_MARK = "call__"
# What templates are written in, those of lines and rules alike, whichever printer writes them.
GRAMMAR = "spark"


_Build = Callable[[Sequence[Node]], Node]


def parse(text: str) -> Node:
    """The tree of a template, every function an anonymous call under the name written.

    Parentheses taken off.
    """
    hidden = _CALL.sub(
        lambda m: m[0] if not m[1] or m[1].lower() in _SYNTAX else f"{_MARK}{m[0]}", text
    )
    return _plain(releases.parse_one(hidden, GRAMMAR))


def _plain(node: Any) -> Node:
    # Building bottom up in place: the tree is ours, small, and read once.
    for child in list(node.iter_expressions()):
        fresh = _plain(child)
        if fresh is not child:
            child.replace(fresh)
    if isinstance(node, exp.Paren):
        inside: Node = node.this
        return inside
    if isinstance(node, exp.Anonymous) and str(node.this).startswith(_MARK):
        node.set("this", str(node.this)[len(_MARK) :])
    elif isinstance(node, exp.TryCast) and not node.args.get("safe"):
        return exp.Cast(this=node.this, to=node.args["to"])
    elif isinstance(node, exp.Div):
        # Sqlglot's word for a NULL where the divisor is 0, which is for the text of a mapping to say.
        node.set("safe", False)
    elif isinstance(node, exp.Not) and isinstance(node.this, exp.Is):
        inner = node.this
        return exp.Is(this=inner.this, expression=exp.Not(this=inner.expression))
    plain: Node = node
    return plain


def used_names(text: str) -> list[str]:
    """The argument names in a template, in order, each as often as it is used."""
    return re.findall(r"(?<![:\w]):([A-Za-z_]\w*)", text)


def called_names(text: str) -> list[str]:
    """The functions that a template calls."""
    return [str(node.this) for node in parse(text).find_all(exp.Anonymous)]


RESULT = "result"


class Template:
    """One template. ``names`` gives the argument position of each ``:name``.

    ``:result`` is the SQL of the call without what this template adds: see `around`.
    """

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self.text = text
        self.names = tuple(n for n in names if n != RESULT)
        self._build: _Build | None = None

    @cached_property
    def uses(self) -> dict[str, int]:
        """How often each argument stands in the text.

        More than once means that it is evaluated more than once.
        """
        return dict(Counter(used_names(self.text)))

    def build(self, arguments: Sequence[Node]) -> Node:
        """Fresh SQL around the arguments, each of which becomes part of it."""
        if self._build is None:
            self._build = _compiled(self.text, self.names)
        return self._build(arguments)

    @cached_property
    def wraps(self) -> bool:
        """Whether the template goes around other SQL for the same call."""
        return RESULT in self.uses

    def around(self, result: Node, arguments: Sequence[Node]) -> Node:
        """The template about SQL that the arguments are part of already, which is why they are copied."""
        if self._build is None:
            self._build = _compiled(self.text, (*self.names, RESULT), self.names)
        return _flat(self._build([*arguments[: len(self.names)], result]))


def _flat(node: Node) -> Node:
    """``CASE … ELSE CASE … END END`` as one CASE."""
    if isinstance(node, exp.Case) and isinstance(node.args.get("default"), exp.Case):
        inner = node.args["default"]
        if node.this is None and inner.this is None:
            ifs = [*node.args["ifs"], *inner.args["ifs"]]
            return exp.Case(ifs=ifs, default=inner.args.get("default"))
    return node


class _Compiler:
    """Turns a template's tree into nested closures that make new nodes.

    Which is far cheaper than copying the tree.
    """

    def __init__(self, names: Sequence[str], used: Sequence[str] = ()) -> None:
        self.positions = {name: index for index, name in enumerate(names)}
        self.seen: set[str] = set(used)

    def compile(self, node: Any) -> _Build:
        if isinstance(node, exp.Placeholder):
            return self._argument(str(node.this))
        if not node.find(exp.Placeholder, exp.Binary, exp.Unary, exp.Between):
            return lambda _: clone(node)
        parts: dict[str, Any] = {}
        for key, value in node.args.items():
            if isinstance(value, list):
                parts[key] = [self._part(node, key, item) for item in value]
            elif isinstance(value, exp.Expression):
                parts[key] = self._part(node, key, value)
            elif value is not None:
                parts[key] = value
        return _maker(type(node), parts)

    def _argument(self, name: str) -> _Build:
        index = self.positions[name]
        if name in self.seen:
            return lambda arguments: clone(arguments[index])
        self.seen.add(name)
        return lambda arguments: arguments[index]

    def _part(self, parent: Node, key: str, value: Any) -> Any:
        if not isinstance(value, exp.Expression):
            return value
        build = self.compile(value)
        cls = type(parent)
        if not isinstance(parent, (exp.Binary, exp.Unary, exp.Between, exp.In)) or (
            cls in (exp.Is, exp.Dot) and key == "expression"
        ):
            return build
        if cls is exp.Dot and isinstance(value, exp.Identifier):
            return build
        side = "right" if key == "expression" else "left"
        return lambda arguments: operand(build(arguments), cls, side)


@lru_cache(maxsize=2048)
def _compiled(text: str, names: tuple[str, ...], used: tuple[str, ...] = ()) -> _Build:
    """What builds a template: rules make theirs anew for each call, and reading one takes longer than building it."""
    return _Compiler(names, used).compile(parse(text))


def _maker(cls: type[Node], parts: dict[str, Any]) -> _Build:
    def made(value: Any, arguments: Sequence[Node]) -> Any:
        if isinstance(value, list):
            return [made(item, arguments) for item in value]
        return value(arguments) if callable(value) else value

    return lambda arguments: cls(**{key: made(value, arguments) for key, value in parts.items()})
