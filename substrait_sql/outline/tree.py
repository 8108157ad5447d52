"""`explain`: a plan as an indented tree of relations, for a person who wants to know what it does.

A line says what a relation does in terms of its input's columns, and after ``->`` which columns
come out of it. Where that is missing they are those of the relation above. Relations that have no
SQL are shown as well as the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import Severity, SubstraitSqlError
from substrait_sql.lower.plan import find_problems
from substrait_sql.outline.columns import (
    Column,
    Knowledge,
    schema_columns,
)
from substrait_sql.outline.layout import Layout, indented
from substrait_sql.outline.literals import clean, few, literal, name_of, type_text
from substrait_sql.outline.notation import Notation, Subquery
from substrait_sql.outline.parts import Scope
from substrait_sql.outline.walk import Walk, knowledge_of
from substrait_sql.plan.habits import Habits
from substrait_sql.plan.producers import habits_of
from substrait_sql.schema import types
from substrait_sql.schema.arrow_types import read_arrow_types
from substrait_sql.wire.deep import lacked_room, with_room
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.outline.walk import Step
    from substrait_sql.wire import Decoded

_MOST_PROBLEMS = 5


def outline(decoded: Decoded, dialect: Dialect) -> str:
    """Return the text: who made the plan, then the tree of each of its relations.

    What the dialect has no SQL for is said at the end, in lines that begin with ``not lowered:``.
    """
    return with_room(lambda: "\n".join(_lines(decoded, dialect)))


def _lines(decoded: Decoded, dialect: Dialect) -> Iterator[str]:
    plan = decoded.plan
    if habits_of(decoded).arrow_types:
        read_arrow_types(plan)
    yield _headline(decoded)
    if decoded.kind != "plan":
        yield from _extended(plan, Notation(plan))
        return
    known = knowledge_of(decoded, dialect)
    yield from _plan_facts(plan, known.notation)
    writer = _Writer(known)
    for i, entry in enumerate(plan.relations):
        yield from writer.entry(entry, i)
    yield from _problems(decoded, dialect)


def _headline(decoded: Decoded) -> str:
    words = ["extended expression" if decoded.kind != "plan" else "plan"]
    if decoded.producer:
        words.append(f"by {name_of(decoded.producer)}")
    if decoded.version is not None:
        words.append(
            f"{'' if decoded.producer else 'of Substrait '}{'.'.join(map(str, decoded.version))}"
        )
    return " ".join(words)


def _plan_facts(plan: Any, notation: Notation) -> Iterator[str]:
    """Yield what a plan says beside its relations, as far as they refer to it."""
    if plan.advanced_extensions.HasField("enhancement"):
        yield f"enhancement {clean(plan.advanced_extensions.enhancement.type_url)}"
    for binding in plan.parameter_bindings:
        yield f"parameter {binding.parameter_anchor} = {literal(binding.value)}"
    for i, item in enumerate(plan.named_lambdas):
        at = (ROOT / "named_lambdas")[i] / "lambda"
        text = notation.lambda_(getattr(item, "lambda"), Scope(), at)
        yield f"lambda_{item.lambda_anchor} {name_of(item.name)}".rstrip() + f" = {text}"


def _extended(message: Any, notation: Notation) -> Iterator[str]:
    """Expressions over a schema instead of relations."""
    columns = schema_columns(message.base_schema)
    yield f"schema  {columns_text(columns, 140)}"
    scope = Scope([c.name for c in columns])
    writer = _Writer(Knowledge(notation, {}, Habits(), {}))
    for i, item in enumerate(message.referred_expr):
        at, kind = (ROOT / "referred_expr")[i], item.WhichOneof("expr_type")
        write = {"expression": notation.expression, "measure": notation.aggregate}.get(kind or "")
        text = write(getattr(item, kind), scope, at / kind) if write else "(empty expression)"
        yield f"{kind or 'expression'} {i}: {_names(item.output_names)}"
        yield from Layout("  ").part(text)
        yield from writer.subqueries(notation.take(), 2)


def _names(names: Iterable[str]) -> str:
    return f"[{few([name_of(n) for n in names], 24)}]"


def _problems(decoded: Decoded, dialect: Dialect) -> Iterator[str]:
    """Yield why there is no SQL: whoever explains a plan often does so because it failed."""
    try:
        found = [
            _diagnostic(d) for d in find_problems(decoded, dialect) if d.severity is Severity.ERROR
        ]
    except SubstraitSqlError as error:
        found = [_diagnostic(d) for d in error.diagnostics]
    except Exception as error:  # the outline of a plan is shown whatever is wrong with it
        if lacked_room(error):
            raise
        found = [f"a defect of substrait-sql: {type(error).__name__}: {clean(str(error))}"]
    for text in found[:_MOST_PROBLEMS]:
        yield f"not lowered: {text}"
    if len(found) > _MOST_PROBLEMS:
        yield f"not lowered: … and {len(found) - _MOST_PROBLEMS} more, see check"


def _diagnostic(found: Any) -> str:
    return clean(f"{found.code} {found.message}" + (f" (at {found.path})" if found.path else ""))


def columns_text(columns: list[Column], room: int) -> str:
    """Return the columns with their types, as many as fit."""
    shown: list[str] = []
    length = 0
    for i, column in enumerate(columns):
        name = name_of(column.name) or f"${i}"
        text = name if types.kind(column.type) is None else f"{name}: {type_text(column.type)}"
        length += len(text) + 2
        if length > room and shown:
            return ", ".join(shown) + f", … and {len(columns) - i:,} more"
        shown.append(text)
    return ", ".join(shown) or "no columns"


class _Writer:
    """Writes trees."""

    def __init__(self, known: Knowledge) -> None:
        self._walk = Walk(known)

    def entry(self, entry: Any, index: int) -> Iterator[str]:
        """One of the plan's relations."""
        kind = entry.WhichOneof("rel_type")
        if kind == "root":
            yield from Layout("").line(f"root {index}: {_names(entry.root.names)}")
        else:
            yield f"relation {index}:" if kind else f"relation {index}: empty"
        node = self._walk.entry(entry, index, (ROOT / "relations")[index])
        if node is not None:
            for step in self._walk.below(node):
                yield from self._relation(step)

    def subqueries(self, found: list[Subquery], depth: int) -> Iterator[str]:
        """Yield the trees of subqueries that have no relation around them."""
        for step in self._walk.subqueries(found, depth):
            yield from self._relation(step)

    def _relation(self, step: Step) -> Iterator[str]:
        if step.subquery is not None:
            yield f"{indented(step.depth - 1)}subquery {step.subquery.number}:"
        layout = Layout(indented(step.depth))
        known = bool(step.node.columns) and not _passes(step)
        columns = columns_text(step.node.columns, layout.room - 24) if known else ""
        yield from layout.relation(step.word, list(step.parts), columns)


def _passes(step: Step) -> bool:
    """Whether the relation above has the same columns, and no others to take them from."""
    above = step.above
    if above is None or step.subquery is not None or len(above.inputs) != 1:
        return False
    return _same(above.columns, step.node.columns)


def _same(above: list[Column], columns: list[Column]) -> bool:
    if above is columns:
        return True
    return len(above) == len(columns) and all(
        a.name == c.name and (a.type is c.type or _type(a) == _type(c))
        for a, c in zip(above, columns, strict=True)
    )


def _type(column: Column) -> str:
    return type_text(column.type)
