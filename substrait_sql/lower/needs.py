"""What expressions need of the SELECT that they stand in, as it is seen in the plan, before they are lowered."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from substrait_sql.plan.scopes import columns, is_outer
from substrait_sql.select.field import Traits
from substrait_sql.spark.clauses import Clause
from substrait_sql.wire.inside import open_parts, parts, placed_parts, within
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from substrait_sql.lower.context import Context
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path

# A subquery is its own SELECT: what it needs is the affair of whoever lowers it.
_CLOSED = ("Rel", "Literal", "Type")
_CLOSED_HERE = frozenset(
    [
        *_CLOSED,
        "ReferenceSegment",
        "MaskExpression",
        "RootReference",
        "OuterReference",
        "FunctionOption",
    ]
)


def needs(message: Any, record: Sequence[Field], cx: Context) -> int:
    """The traits that the SQL of an expression has: its own, and those of the fields that it is made of.

    What is compared with the rows of a subquery stands inside of that. What a window does not take is a column first.
    """
    found = Traits.NONE
    for whole, _ in _with_lambdas(message, ROOT, cx):
        stack = [whole]
        while stack:
            each = stack.pop()
            name = each.DESCRIPTOR.name
            if name == "FieldReference" and is_outer(each):
                found |= Traits.OUTER
            elif name == "WindowFunction":
                inside = _traits(needs(part, record, cx) for _, part in parts(each))
                found |= inside & ~Clause.OVER.forbids
                if is_over(each, cx, ROOT):
                    found |= Traits.WINDOW
            elif name == "Subquery":
                found |= Traits.SUBQUERY | _traits(f.traits for f in fields_of(each, record))
            else:
                if name == "FieldReference":
                    found |= _traits(f.traits for f in _fields(each, record))
                stack += open_parts(each, _CLOSED_HERE)
    return found


def _traits(found: Iterable[int]) -> int:
    return reduce(or_, found, Traits.NONE)


def fields_of(message: Any, record: Sequence[Field]) -> Iterator[Field]:
    """The fields of the record that an expression is made of."""
    for each in within(message, _CLOSED):
        yield from read_by(each, record)


def read_by(message: Any, record: Sequence[Field]) -> list[Field]:
    """The fields of the record that a message refers to by itself: none but those of a reference."""
    return _fields(message, record) if message.DESCRIPTOR.name == "FieldReference" else []


def _fields(reference: Any, record: Sequence[Field]) -> list[Field]:
    if reference.WhichOneof("root_type") not in (None, "root_reference"):
        return []
    ordinals = (column.field for column in columns(reference))
    return [record[i] for i in ordinals if 0 <= i < len(record)]


def windows(message: Any, path: Path, cx: Context) -> Iterator[tuple[Any, Path]]:
    """The window functions in an expression, not those in others, and where they stand.

    One that is about the parameter of a lambda cannot be had outside of it.
    """
    stack = _with_lambdas(message, path, cx)
    # Few expressions have one, and where a message stands takes longer to say than what it is.
    stack = [(whole, at) for whole, at in stack if cx.held.window(whole) and _has_window(whole)]
    while stack:
        each, at = stack.pop()
        name = each.DESCRIPTOR.name
        if name == "Expression" and each.HasField("window_function"):
            if not _reads_parameter(each):
                yield each, at
        else:
            stack.extend(reversed(list(placed_parts(each, at, _CLOSED_HERE))))


def _reads_parameter(message: Any) -> bool:
    """Whether an expression is about the parameter of a lambda around it, those in it aside."""
    stack = [(message, 0)]
    while stack:
        each, depth = stack.pop()
        name = each.DESCRIPTOR.name
        is_parameter = name == "FieldReference" and each.HasField("lambda_parameter_reference")
        if is_parameter and each.lambda_parameter_reference.steps_out >= depth:
            return True
        deeper = depth + (name == "Lambda")
        stack += [(part, deeper) for part in open_parts(each, ("Literal", "Type"))]
    return False


def is_over(window: Any, cx: Context, path: Path) -> bool:
    """Whether the SQL of a window function is one, see `has_over`. Imported where a plan has one."""
    from substrait_sql.lower.expressions.windows.window import has_over

    return has_over(window, cx, path)


def _has_window(message: Any) -> bool:
    stack = [message]
    while stack:
        each = stack.pop()
        if each.DESCRIPTOR.name == "WindowFunction":
            return True
        stack += open_parts(each, _CLOSED_HERE)
    return False


def _with_lambdas(message: Any, path: Path, cx: Context) -> list[tuple[Any, Path]]:
    """An expression, and the lambdas of the plan that it uses, which stand elsewhere."""
    found = [(message, path)]
    if cx.lambdas:
        named = set()
        for whole, _ in found:
            for each in within(whole, _CLOSED):
                if each.DESCRIPTOR.name == "NamedLambdaReference":
                    named.add(each.lambda_reference)
            found += [
                cx.lambdas[n] for n in sorted(named) if cx.lambdas.get(n, found[0]) not in found
            ]
    return found
