"""Expressions as a reader takes them in: ``lte(l_shipdate, 1998-09-02)``.

Every kind in the protobuf is written, also those that have no SQL: this is for reading a plan, not
for judging it. Subqueries are numbered and noted, for they are shown as trees of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.outline.literals import few, literal, name_of, shorten, type_text
from substrait_sql.outline.parts import Scope, enum_words, mask_text, outer_text, steps_text
from substrait_sql.schema.functions import named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from substrait_sql.wire.path import Path

_LONGEST = 2_000  # nested calls copy their text once a level, so that it has to end somewhere
_CONNECTIVES = ("and", "or")
_INITIAL_TO_RESULT = 3
_COMPARISONS = {1: "equal", 2: "not_equal", 3: "lt", 4: "gt", 5: "lte", 6: "gte"}


@dataclass(frozen=True, slots=True)
class Subquery:
    """A relation inside an expression. scope: the record that the expression sees."""

    number: int
    message: Any
    path: Path
    scope: Scope


class Notation:
    """Writes the expressions of one plan. Each kind is a method of its own."""

    def __init__(self, plan: Any) -> None:
        self._functions = {
            item.extension_function.function_anchor: item.extension_function.name
            for item in plan.extensions
            if item.WhichOneof("mapping_type") == "extension_function"
        }
        self._numbered = 0
        self.subqueries: list[Subquery] = []

    def take(self) -> list[Subquery]:
        """Return the subqueries met since the last call."""
        found, self.subqueries = self.subqueries, []
        return found

    def function(self, anchor: int) -> str:
        """Return the plain name of a function."""
        declared = self._functions.get(anchor)
        return name_of(named(None, declared).name) if declared else f"function_{anchor}"

    def expression(self, message: Any, scope: Scope, path: Path) -> str:
        """Any expression."""
        kind = message.WhichOneof("rex_type")
        if kind is None:
            return "(empty expression)"
        write = _WRITERS.get(kind)
        value = getattr(message, kind)
        if write is None:
            return f"{kind}({value})" if isinstance(value, int) else f"{kind}(…)"
        return shorten(write(self, value, scope, path / kind), _LONGEST)

    def expressions(self, messages: Any, scope: Scope, path: Path) -> list[str]:
        """Any number of expressions."""
        return [self.expression(m, scope, path[i]) for i, m in enumerate(messages)]

    # -- leaves ---------------------------------------------------------------------------------

    def literal(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a value."""
        return literal(message)

    def selection(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a field reference: its root, then the steps into it."""
        root = message.WhichOneof("root_type")
        if message.WhichOneof("reference_type") == "masked_reference":
            mask = mask_text(message.masked_reference, scope)
            if root == "expression":
                inner = self.expression(message.expression, scope, path / "expression")
                return f"{inner}.mask({mask})"
            return f"mask({mask})"
        segment = message.direct_reference
        if root == "expression":
            inner = self.expression(message.expression, scope, path / "expression")
            return inner + steps_text(segment)
        if segment.WhichOneof("reference_type") != "struct_field":
            return "$" + steps_text(segment)
        ordinal = segment.struct_field.field
        child = segment.struct_field
        rest = steps_text(child.child) if child.HasField("child") else ""
        if root == "outer_reference":
            return outer_text(message.outer_reference, ordinal, scope) + rest
        if root == "lambda_parameter_reference":
            steps = message.lambda_parameter_reference.steps_out
            return f"p{ordinal}" + (f"@{steps}" if steps else "") + rest
        return scope.name(ordinal) + rest

    def parameter(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a value that is given when the plan runs."""
        return f"parameter({message.parameter_reference})::{type_text(message.type)}"

    def variable(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a value of the session."""
        kind = message.WhichOneof("execution_context_variable_type")
        return f"{kind}()" if kind else "(empty variable)"

    # -- calls ----------------------------------------------------------------------------------

    def call(self, message: Any, scope: Scope, path: Path, prefix: str = "") -> str:
        """Write a function with its arguments and options."""
        name = self.function(message.function_reference)
        if name in _CONNECTIVES:
            found = [self._argument(a, scope, p) for a, p in self._flat(message, name, path)]
        else:
            at = path / "arguments"
            found = [self._argument(a, scope, at[i]) for i, a in enumerate(message.arguments)]
        found += [
            f"{name_of(o.name)}={'|'.join(map(name_of, o.preference))}" for o in message.options
        ]
        return f"{name}({prefix}{', '.join(found)})"

    def _flat(self, message: Any, name: str, path: Path) -> Iterator[tuple[Any, Path]]:
        """Yield the arguments of a chain of one connective: many producers nest binary ones."""
        stack = [(a, (path / "arguments")[i]) for i, a in enumerate(message.arguments)][::-1]
        while stack:
            argument, at = stack.pop()
            inner = argument.value.scalar_function
            if (
                argument.WhichOneof("arg_type") == "value"
                and argument.value.WhichOneof("rex_type") == "scalar_function"
                and not inner.options
                and inner.arguments
                and self.function(inner.function_reference) == name
            ):
                below = at / "value" / "scalar_function" / "arguments"
                stack.extend([(a, below[i]) for i, a in enumerate(inner.arguments)][::-1])
            else:
                yield argument, at

    def _argument(self, message: Any, scope: Scope, path: Path) -> str:
        kind = message.WhichOneof("arg_type")
        if kind == "value":
            return self.expression(message.value, scope, path / "value")
        if kind == "type":
            return type_text(message.type)
        return name_of(message.enum) if kind == "enum" else "(empty argument)"

    def measure(self, message: Any, scope: Scope, path: Path) -> str:
        """Write an aggregate function with its FILTER."""
        text = self.aggregate(message.measure, scope, path / "measure")
        if message.HasField("filter"):
            text += f" filter ({self.expression(message.filter, scope, path / 'filter')})"
        return text

    def aggregate(self, message: Any, scope: Scope, path: Path) -> str:
        """Write an aggregate function: ``sum(distinct x) order by y``."""
        text = self.call(message, scope, path, "distinct " if message.invocation == 2 else "")
        if message.sorts:
            text += f" order by {', '.join(self.sorts(message.sorts, scope, path / 'sorts'))}"
        return text + _phase(message)

    def window(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a window function with its OVER."""
        parts = []
        if message.partitions:
            keys = self.expressions(message.partitions, scope, path / "partitions")
            parts.append(f"partition by {', '.join(keys)}")
        if message.sorts:
            keys = self.sorts(message.sorts, scope, path / "sorts")
            parts.append(f"order by {', '.join(keys)}")
        parts += self._frame(message, scope, path)
        head = self.call(message, scope, path, "distinct " if message.invocation == 2 else "")
        return f"{head} over ({' '.join(parts)}){_phase(message)}"

    def windowed(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a function of a window relation, whose partitions and order are the relation's."""
        head = self.call(message, scope, path, "distinct " if message.invocation == 2 else "")
        return " ".join([head, *self._frame(message, scope, path)]) + _phase(message)

    def _frame(self, message: Any, scope: Scope, path: Path) -> list[str]:
        if not message.bounds_type and not (
            message.HasField("lower_bound") or message.HasField("upper_bound")
        ):
            return []
        unit = enum_words(message, "bounds_type") if message.bounds_type else "frame"
        lower = self._bound(message.lower_bound, "preceding", scope, path / "lower_bound")
        upper = self._bound(message.upper_bound, "following", scope, path / "upper_bound")
        return [f"{unit} between {lower} and {upper}"]

    def _bound(self, message: Any, side: str, scope: Scope, path: Path) -> str:
        kind = message.WhichOneof("kind")
        if kind in ("preceding", "following"):
            bound = getattr(message, kind)
            if bound.HasField("offset_expr"):
                at = path / kind / "offset_expr"
                return f"{self.expression(bound.offset_expr, scope, at)} {kind}"
            return f"{bound.offset} {kind}"
        # No bound at all is an unbounded one, by the specification.
        return "current row" if kind == "current_row" else f"unbounded {side}"

    def sorts(self, messages: Any, scope: Scope, path: Path) -> list[str]:
        """Write the keys of an order: ``a desc nulls last``."""
        found = []
        for i, key in enumerate(messages):
            text = self.expression(key.expr, scope, path[i] / "expr")
            if key.WhichOneof("sort_kind") == "comparison_function_reference":
                found.append(f"{text} by {self.function(key.comparison_function_reference)}")
            else:
                found.append(f"{text} {enum_words(key, 'direction')}")
        return found

    def cast(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a cast; ``try_cast`` is the one that makes NULL of what does not fit."""
        word = "try_cast" if message.failure_behavior == 1 else "cast"
        inner = self.expression(message.input, scope, path / "input")
        return f"{word}({inner} as {type_text(message.type)})"

    # -- conditionals ---------------------------------------------------------------------------

    def if_then(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a searched CASE."""
        return self._case("case", message, scope, path)

    def switch(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a CASE over one value."""
        value = self.expression(message.match, scope, path / "match")
        return self._case(f"switch {value}", message, scope, path)

    def _case(self, head: str, message: Any, scope: Scope, path: Path) -> str:
        parts = [head]
        for i, clause in enumerate(message.ifs):
            at, test = path / "ifs", getattr(clause, "if")
            is_value = test.DESCRIPTOR.name == "Literal"
            when = literal(test) if is_value else self.expression(test, scope, at[i] / "if")
            parts.append(f"when {when} then {self.expression(clause.then, scope, at[i] / 'then')}")
        if message.HasField("else"):
            parts.append(f"else {self.expression(getattr(message, 'else'), scope, path / 'else')}")
        return " ".join([*parts, "end"])

    def in_list(self, message: Any, scope: Scope, path: Path) -> str:
        """``x in (1, 2)``."""
        value = self.expression(message.value, scope, path / "value")
        return f"{value} in ({few(self.expressions(message.options, scope, path / 'options'))})"

    def in_records(self, message: Any, scope: Scope, path: Path) -> str:
        """``(x, y) in ((1, 2), (3, 4))``."""
        value = self.expressions(message.value, scope, path / "value")
        records = [
            f"({', '.join(self.expressions(r.fields, scope, (path / 'options')[i] / 'fields'))})"
            for i, r in enumerate(message.options)
        ]
        return f"({', '.join(value)}) in ({few(records)})"

    # -- nested values, lambdas -----------------------------------------------------------------

    def nested(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a struct, list or map made of expressions."""
        kind = message.WhichOneof("nested_type")
        if kind == "struct":
            at = path / "struct" / "fields"
            return "{" + few(self.expressions(message.struct.fields, scope, at)) + "}"
        if kind == "list":
            at = path / "list" / "values"
            return "[" + few(self.expressions(message.list.values, scope, at)) + "]"
        at = path / "map" / "key_values"
        pairs = [
            f"{self.expression(p.key, scope, at[i] / 'key')}: "
            f"{self.expression(p.value, scope, at[i] / 'value')}"
            for i, p in enumerate(message.map.key_values)
        ]
        return "map{" + few(pairs) + "}" if kind else "(empty nested value)"

    def lambda_(self, message: Any, scope: Scope, path: Path) -> str:
        """``(p0: i64, p1: i64) -> add(p0, p1)``; ``p0@1`` is one of the lambda around it."""
        declared = [f"p{i}: {type_text(t)}" for i, t in enumerate(message.parameters.types)]
        return f"({', '.join(declared)}) -> {self.expression(message.body, scope, path / 'body')}"

    def invocation(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a lambda that is called at once."""
        kind = message.WhichOneof("lambda_type")
        if kind == "named_lambda":
            head = self.named_lambda(message.named_lambda, scope, path)
        else:
            head = f"({self.lambda_(getattr(message, 'lambda'), scope, path / 'lambda')})"
        at = path / "arguments" / "fields"
        return f"{head}({', '.join(self.expressions(message.arguments.fields, scope, at))})"

    def named_lambda(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a lambda of the plan."""
        return f"lambda_{message.lambda_reference}"

    # -- subqueries -----------------------------------------------------------------------------

    def subquery(self, message: Any, scope: Scope, path: Path) -> str:
        """Write a subquery by its number; the relation is noted."""
        kind = message.WhichOneof("subquery_type")
        if kind is None:
            return "(empty subquery)"
        inner, at = getattr(message, kind), path / kind
        if kind == "scalar":
            return f"({self._note(inner.input, scope, at / 'input')})"
        if kind == "set_predicate":
            word = enum_words(inner, "predicate_op")
            return f"{word}({self._note(inner.tuples, scope, at / 'tuples')})"
        if kind == "in_predicate":
            needles = self.expressions(inner.needles, scope, at / "needles")
            left = needles[0] if len(needles) == 1 else f"({', '.join(needles)})"
            return f"{left} in ({self._note(inner.haystack, scope, at / 'haystack')})"
        left = self.expression(inner.left, scope, at / "left")
        word = _COMPARISONS.get(inner.comparison_op, "compare")
        which = enum_words(inner, "reduction_op")
        return f"{word}({left}, {which} ({self._note(inner.right, scope, at / 'right')}))"

    def _note(self, message: Any, scope: Scope, path: Path) -> str:
        self._numbered += 1
        self.subqueries.append(Subquery(self._numbered, message, path, scope))
        return f"subquery {self._numbered}"


def _phase(message: Any) -> str:
    plain = message.phase in (0, _INITIAL_TO_RESULT)
    return "" if plain else f" [{enum_words(message, 'phase')}]"


_WRITERS: dict[str, Callable[[Notation, Any, Scope, Path], str]] = {
    "literal": Notation.literal,
    "selection": Notation.selection,
    "scalar_function": Notation.call,
    "window_function": Notation.window,
    "if_then": Notation.if_then,
    "switch_expression": Notation.switch,
    "singular_or_list": Notation.in_list,
    "multi_or_list": Notation.in_records,
    "cast": Notation.cast,
    "subquery": Notation.subquery,
    "nested": Notation.nested,
    "dynamic_parameter": Notation.parameter,
    "lambda": Notation.lambda_,
    "lambda_invocation": Notation.invocation,
    "execution_context_variable": Notation.variable,
    "named_lambda_reference": Notation.named_lambda,
}
