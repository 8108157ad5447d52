"""Expressions of a plan as `Expr`: references become columns of sources, what is written in several ways becomes one.

What is rewritten here is equal for all values, NULL included: the order of what commutes, chains of AND and OR,
``x BETWEEN a AND b``, ``a > b`` for ``b < a``, ``x = 1 OR x = 2`` for ``x IN (1, 2)``, NOT of those.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from substrait_sql.outline.literals import literal
from substrait_sql.review.meaning.facts import words
from substrait_sql.review.meaning.forms import call_of, either, simple
from substrait_sql.review.meaning.model import Expr
from substrait_sql.schema import types
from substrait_sql.wire.fields import is_repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from substrait_sql.review.meaning.facts import Facts
    from substrait_sql.review.meaning.model import Block, Leaf
    from substrait_sql.wire.path import Path

_INITIAL_TO_RESULT, _DISTINCT = 3, 2
_FUNCTIONS = ("function_reference", "comparison_function_reference", "custom_function_reference")
# Whatever is not understood is like nothing else, itself included.
_UNLIKE = count()
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EPOCH = dt.date(1970, 1, 1).toordinal()


@dataclass(eq=False)
class Around:
    """The record around a subquery. used: the sources of it and of those further out that the subquery refers to."""

    scope: Scope
    used: set[Leaf] = field(default_factory=set)


@dataclass(eq=False)
class Scope:
    """What the expressions of one relation see. anchors: where the record of an anchored relation begins.

    windows: how window functions see it, if they may stand here: the source that they are columns of, and its record.
    """

    record: Sequence[Expr]
    anchors: dict[int, int] = field(default_factory=dict)
    around: Around | None = None
    lateral: bool = False
    windows: tuple[Leaf, Scope] | None = None


def unlike(path: Path) -> Expr:
    """An expression that is not known: never the same as another."""
    return Expr(("unknown", str(next(_UNLIKE))), path=path, shown="…")


class Expressions:
    """Reads expressions. block: reads the relation of a subquery."""

    def __init__(self, facts: Facts, block: Callable[[Any, Path, Around], Block]) -> None:
        self.facts = facts
        self._block = block

    def of(self, message: Any, scope: Scope, path: Path) -> Expr:
        """Any ``Expression``."""
        kind = message.WhichOneof("rex_type")
        if kind is None:
            return unlike(path)
        read = _READERS.get(kind, Expressions.other)
        return read(self, getattr(message, kind), scope, path / kind)

    def all(self, messages: Any, scope: Scope, path: Path) -> list[Expr]:
        """Any number of them."""
        return [self.of(m, scope, path[i]) for i, m in enumerate(messages)]

    def literal(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A value with its type, nullable or not."""
        return self.value(message, path)

    def value(self, message: Any, path: Path) -> Expr:
        """Likewise, wherever a ``Literal`` stands."""
        kind = message.WhichOneof("literal_type") or ""
        if kind == "null":
            return Expr(("literal", "null", self.facts.type(message.null)), path=path, shown="NULL")
        copy = type(message)()
        copy.CopyFrom(message)
        copy.nullable = False
        if kind == "string":
            # Variations of texts are ways to hold them: views, long offsets. The value is the same.
            copy.type_variation_reference = 0
        return Expr(
            ("literal", kind, copy.SerializeToString(deterministic=True).hex()),
            path=path,
            shown=literal(message),
        )

    def selection(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A reference: the column itself, or a part of it."""
        root = message.WhichOneof("root_type")
        if root == "expression":
            inner = self.of(message.expression, scope, path / "expression")
            return self._part(message, message.direct_reference, [inner], path)
        if root == "lambda_parameter_reference":
            steps = str(message.lambda_parameter_reference.steps_out)
            rest = message.direct_reference.SerializeToString(deterministic=True).hex()
            return Expr(("lambda parameter", steps, rest), path=path, shown="p")
        record = scope.record if root != "outer_reference" else self._outer(message, scope)
        if record is None:
            return unlike(path)
        if message.WhichOneof("reference_type") == "masked_reference":
            kept = [i.field for i in message.masked_reference.select.struct_items]
            if any(k >= len(record) for k in kept):
                return unlike(path)
            text = message.masked_reference.SerializeToString(deterministic=True).hex()
            return Expr(("mask", text), [record[k] for k in kept], path=path)
        segment = message.direct_reference
        if segment.WhichOneof("reference_type") != "struct_field":
            return unlike(path)
        ordinal: int = segment.struct_field.field
        if not 0 <= ordinal < len(record):
            return unlike(path)
        if not segment.struct_field.HasField("child"):
            return record[ordinal]
        return self._part(message, segment.struct_field.child, [record[ordinal]], path)

    def _part(self, message: Any, segment: Any, inner: list[Expr], path: Path) -> Expr:
        masked = message.WhichOneof("reference_type") == "masked_reference"
        part = message.masked_reference if masked else segment
        return Expr(("part", part.SerializeToString(deterministic=True).hex()), inner, path=path)

    def _outer(self, message: Any, scope: Scope) -> Sequence[Expr] | None:
        """The record that an outer reference begins in; None if there is none such."""
        outer = message.outer_reference
        by_anchor = outer.WhichOneof("outer_reference_type") == "rel_reference"
        rest, passed, around = outer.steps_out, [], scope.around
        while around is not None:
            passed.append(around)
            host = around.scope
            rest -= not host.lateral
            if by_anchor and outer.rel_reference in host.anchors:
                found = host.record[host.anchors[outer.rel_reference] :]
                break
            if not by_anchor and rest == 0 and not host.lateral:
                found = host.record
                break
            around = host.around
        else:
            return None
        segment = message.direct_reference.struct_field
        if 0 <= segment.field < len(found):
            for each in passed:
                each.used |= found[segment.field].leaves
        else:
            for each in passed:
                each.used |= {leaf for column in found for leaf in column.leaves}
        return found

    # -- calls ----------------------------------------------------------------------------------

    def call(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A scalar function, in the form that all ways of saying it share."""
        name = self.facts.name(message.function_reference, message)
        plain = name.standard
        if plain in words()["connectives"] and not message.options:
            args = list(self._chain(message, plain, scope, path))
            return either(args, path) if plain == "or" else call_of("and", args, path)
        args = list(self._arguments(message, scope, path))
        if not message.options and all(a.kind != "word" for a in args):
            found = simple(plain, args, path)
            if found is not None:
                return found
        head = self._head("call", message, name)
        return Expr(
            head,
            args,
            path=path,
            shown=plain or name.name,
            commutes=plain in words()["commutative"] and len(args) == 2,
            drawn=self.facts.is_drawn(name),
        )

    def _head(self, word: str, message: Any, name: Any) -> tuple[str, ...]:
        owner = name.urn if name.foreign else ""
        options = sorted(f"{o.name}={'|'.join(o.preference)}" for o in message.options)
        given = message.HasField("output_type")
        result = self.facts.type(message.output_type) if given else ""
        return (word, owner or "", name.name, *options, "" if result == "boolean" else result)

    def _chain(self, message: Any, name: str, scope: Scope, path: Path) -> Iterator[Expr]:
        """The operands of a chain of one connective, not on the stack: there may be thousands."""
        stack = [(a, (path / "arguments")[i]) for i, a in enumerate(message.arguments)][::-1]
        while stack:
            argument, at = stack.pop()
            inner = argument.value.scalar_function
            if (
                argument.value.WhichOneof("rex_type") == "scalar_function"
                and not inner.options
                and self.facts.name(inner.function_reference, inner).standard == name
            ):
                below = at / "value" / "scalar_function" / "arguments"
                stack.extend([(a, below[i]) for i, a in enumerate(inner.arguments)][::-1])
                continue
            made = self._argument(argument, scope, at)
            yield from made.args if made.head == ("call", "", name) else (made,)

    def _arguments(self, message: Any, scope: Scope, path: Path) -> Iterator[Expr]:
        for i, argument in enumerate(message.arguments):
            yield self._argument(argument, scope, (path / "arguments")[i])

    def _argument(self, message: Any, scope: Scope, path: Path) -> Expr:
        kind = message.WhichOneof("arg_type")
        if kind == "value":
            return self.of(message.value, scope, path / "value")
        text = self.facts.type(message.type) if kind == "type" else message.enum
        return Expr(("word", text), path=path, shown=text)

    def measure(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A measure with its FILTER."""
        found = self.function("measure", message.measure, scope, path / "measure")
        if not message.HasField("filter"):
            return found
        where = self.of(message.filter, scope, path / "filter")
        return Expr(("filtered",), [found, where], path=path)

    def function(self, word: str, message: Any, scope: Scope, path: Path) -> Expr:
        """An aggregate or window function: arguments, order, partitions, frame."""
        name = self.facts.name(message.function_reference, message)
        args = list(self._arguments(message, scope, path))
        distinct = message.invocation == _DISTINCT
        if name.standard == "count" and [a.kind for a in args] == ["literal"] and not distinct:
            # The number of rows, however it is said: the value is no NULL.
            args = args if args[0].head[1] == "null" else []
        head = list(self._head(word, message, name))
        head += ["distinct"] * distinct
        head += [f"phase {message.phase}"] * (message.phase not in (0, _INITIAL_TO_RESULT))
        parts = [Expr(("arguments",), args)]
        if message.sorts:
            parts.append(Expr(("sorts",), self.sorts(message.sorts, scope, path / "sorts")))
        if getattr(message, "partitions", None):
            keys = self.all(message.partitions, scope, path / "partitions")
            parts.append(Expr(("partitions",), keys, commutes=True))
        for bound in ("lower_bound", "upper_bound"):
            if bound in message.DESCRIPTOR.fields_by_name and message.HasField(bound):
                found = self.other(getattr(message, bound), scope, path / bound)
                parts.append(Expr((bound,), [found]))
        if getattr(message, "bounds_type", 0):
            head.append(f"frame {message.bounds_type}")
        drawn = self.facts.is_drawn(name)
        return Expr(tuple(head), parts, path=path, shown=name.name, drawn=drawn)

    def window(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A window function: a column of the source that holds the rows that it sees."""
        if scope.windows is None:
            return unlike(path)
        leaf, inner = scope.windows
        return leaf.column(("window",), self.function("window", message, inner, path))

    def sorts(self, messages: Any, scope: Scope, path: Path) -> list[Expr]:
        """The keys of an order."""
        found = []
        for i, key in enumerate(messages):
            if key.WhichOneof("sort_kind") == "comparison_function_reference":
                how = str(self.facts.name(key.comparison_function_reference))
            else:
                how = key.DESCRIPTOR.fields_by_name["direction"].enum_type.values_by_number
                how = how[key.direction].name if key.direction in how else str(key.direction)
            found.append(
                Expr(("sort", how), [self.of(key.expr, scope, path[i] / "expr")], path=path[i])
            )
        return found

    def cast(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A cast, or a cast that makes NULL of what does not fit."""
        inner = self.of(message.input, scope, path / "input")
        if types.kind(message.type) == "date" and message.input.WhichOneof("rex_type") == "literal":
            text = message.input.literal.string
            if _DATE.fullmatch(text) and inner.kind == "literal":
                found = self._date(message.input.literal, text, path)
                if found is not None:
                    return found
        head = ("cast", self.facts.type(message.type), str(message.failure_behavior))
        return Expr(head, [inner], path=path)

    def _date(self, message: Any, text: str, path: Path) -> Expr | None:
        """The date that a text is cast to, None if there is none such."""
        try:
            day = dt.date.fromisoformat(text)
        except ValueError:
            return None
        made = type(message)()
        made.date = day.toordinal() - _EPOCH
        return self.value(made, path)

    def in_list(self, message: Any, scope: Scope, path: Path) -> Expr:
        """``x IN (…)``; of one value it is a comparison."""
        value = self.of(message.value, scope, path / "value")
        options = self.all(message.options, scope, path / "options")
        if len(options) == 1:
            return call_of("equal", [value, options[0]], path)
        return Expr(("in",), [value, Expr(("list",), options, commutes=True)], path=path)

    def subquery(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A subquery: its block, beside what it is compared with."""
        kind = message.WhichOneof("subquery_type")
        if kind is None:
            return unlike(path)
        inner, at = getattr(message, kind), path / kind
        around = Around(scope)
        head, args, blocks = ["subquery", kind], [], []
        for each, value in inner.ListFields():
            if each.message_type is None:
                head.append(f"{each.name} {value}")
            elif each.message_type.name == "Rel":
                blocks.append(self._block(value, at / each.name, around))
            elif is_repeated(each):
                args += self.all(value, scope, at / each.name)
            else:
                args.append(self.of(value, scope, at / each.name))
        for block in blocks:
            block.free = frozenset(around.used)
        return Expr(tuple(head), args, path=path, blocks=blocks)

    def parameter(self, message: Any, scope: Scope, path: Path) -> Expr:
        """A value that is given when the plan runs, or that the plan itself gives."""
        anchor = message.parameter_reference
        args = [self.value(self.facts.bound[anchor], path)] if anchor in self.facts.bound else []
        head = ("parameter", str(anchor), self.facts.type(message.type))
        return Expr(head, args, path=path, shown=f":p{anchor}")

    def other(self, message: Any, scope: Scope, path: Path) -> Expr:
        """Any message: what it says in its head, with a mark where each expression in it stands."""
        head, args = [message.DESCRIPTOR.name], []
        for each, value in message.ListFields():
            values = value if is_repeated(each) else [value]
            for i, item in enumerate(values):
                at = (path / each.name)[i] if is_repeated(each) else path / each.name
                if each.message_type is None:
                    is_name = each.name in _FUNCTIONS
                    head.append(f"{each.name}={self.facts.name(item) if is_name else item!r}")
                    continue
                head.append(f"{each.name}#")
                args.append(self._inside(item, scope, at))
        return Expr(tuple(head), args, path=path, shown=message.DESCRIPTOR.name)

    def _inside(self, message: Any, scope: Scope, path: Path) -> Expr:
        match message.DESCRIPTOR.name:
            case "Expression":
                return self.of(message, scope, path)
            case "FieldReference":
                return self.selection(message, scope, path)
            case "Literal":
                return self.value(message, path)
            case "Type":
                return Expr(("type", self.facts.type(message)))
            case "Any":
                return Expr(("any", message.SerializeToString(deterministic=True).hex()))
            case "Rel":
                return unlike(path)
        return self.other(message, scope, path)


_READERS: dict[str, Callable[[Expressions, Any, Scope, Path], Expr]] = {
    "literal": Expressions.literal,
    "selection": Expressions.selection,
    "scalar_function": Expressions.call,
    "window_function": Expressions.window,
    "cast": Expressions.cast,
    "singular_or_list": Expressions.in_list,
    "subquery": Expressions.subquery,
    "dynamic_parameter": Expressions.parameter,
}
