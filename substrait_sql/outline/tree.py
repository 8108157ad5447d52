"""`explain`: a plan as an indented tree of relations, for a person who wants to know what it does.

A line says what a relation does in terms of its input's columns, and after ``->`` which columns
come out of it. Where that is missing they are those of the relation above. Relations that have no
SQL are shown as well as the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.lower.plan import context_of, find_problems
from substrait_sql.lower.relation import relation
from substrait_sql.lower.sharing.queries import SharedQueries
from substrait_sql.outline.columns import (
    Column,
    Knowledge,
    Node,
    name_by_root,
    nests_deeper,
    node_key,
    schema_columns,
    tree,
)
from substrait_sql.outline.layout import Layout, indented
from substrait_sql.outline.literals import clean, few, literal, name_of, type_text
from substrait_sql.outline.notation import Notation, Subquery
from substrait_sql.outline.parts import Scope
from substrait_sql.outline.relations import Relations, lateral_scope
from substrait_sql.plan.producers import habits_of
from substrait_sql.schema import types
from substrait_sql.wire.deep import in_big_stack
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.wire import Decoded

_MOST_PROBLEMS = 5
# The lowering's columns are found by the text of a path, which is as long as the tree is deep. Beyond
# this the time would grow with the square, and the columns are those that the plan itself tells.
_DEEPEST_LOWERED = 1_000


def outline(decoded: Decoded, dialect: Dialect) -> str:
    """Return the text: who made the plan, then the tree of each of its relations.

    What the dialect has no SQL for is said at the end, in lines that begin with ``not lowered:``.
    """

    def work() -> str:
        return "\n".join(_lines(decoded, dialect))

    try:
        return work()
    except RecursionError:
        return in_big_stack(work)


def _lines(decoded: Decoded, dialect: Dialect) -> Iterator[str]:
    plan = decoded.plan
    notation = Notation(plan)
    yield _headline(decoded)
    if decoded.kind != "plan":
        yield from _extended(plan, notation)
        return
    yield from _plan_facts(plan, notation)
    replaces = habits_of(decoded).project_replaces
    known = Knowledge(notation, _lowered(decoded, dialect), replaces, {})
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
    writer = _Writer(Knowledge(notation, {}, False, {}))
    for i, item in enumerate(message.referred_expr):
        at, kind = (ROOT / "referred_expr")[i], item.WhichOneof("expr_type")
        write = {"expression": notation.expression, "measure": notation.aggregate}.get(kind or "")
        text = write(getattr(item, kind), scope, at / kind) if write else "(empty expression)"
        yield f"{kind or 'expression'} {i}: {_names(item.output_names)}"
        yield from Layout("  ").part(text)
        yield from writer.subqueries(notation.take(), 2)


def _names(names: Iterable[str]) -> str:
    return f"[{few([name_of(n) for n in names], 24)}]"


def _lowered(decoded: Decoded, dialect: Dialect) -> dict[str, list[tuple[str, Any]]]:
    """Return the columns of every relation that the lowering reaches."""
    plan = decoded.plan
    if any(nests_deeper(_top(entry), _DEEPEST_LOWERED) for entry in plan.relations):
        return {}
    cx = context_of(decoded, dialect)
    cx.outputs = {}
    # With a list for findings, an expression without SQL does not hide the columns above it.
    cx.findings = []
    for i, entry in enumerate(plan.relations):
        cx.shared = SharedQueries(plan, dialect.builtins)
        at = (ROOT / "relations")[i]
        is_root = entry.WhichOneof("rel_type") == "root"
        try:
            relation(_top(entry), cx, at / "root" / "input" if is_root else at / "rel")
        except RecursionError:
            raise
        except Exception:  # a defect of the lowering must not hide the plan: see _problems
            continue
    return {node_key(path): columns for path, columns in cx.outputs.items()}


def _top(entry: Any) -> Any:
    return entry.root.input if entry.WhichOneof("rel_type") == "root" else entry.rel


def _problems(decoded: Decoded, dialect: Dialect) -> Iterator[str]:
    """Yield why there is no SQL: whoever explains a plan often does so because it failed."""
    try:
        found = [_diagnostic(d) for d in find_problems(decoded, dialect)]
    except RecursionError:
        raise
    except SubstraitSqlError as error:
        found = [_diagnostic(d) for d in error.diagnostics]
    except Exception as error:
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


@dataclass(slots=True)
class _Step:
    """A relation that is still to be written. label: what stands in its place before it."""

    node: Node | None
    depth: int
    outer: Scope | None = None
    above: list[Column] | None = None
    subquery: Subquery | None = None


class _Writer:
    """Writes trees. Only a stack of its own: plans nest deeper than Python does."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._relations = Relations(known.notation)

    def entry(self, entry: Any, index: int) -> Iterator[str]:
        """One of the plan's relations."""
        kind, at = entry.WhichOneof("rel_type"), (ROOT / "relations")[index]
        if kind == "root":
            yield from Layout("").line(f"root {index}: {_names(entry.root.names)}")
            node = tree(entry.root.input, at / "root" / "input", self._known)
            self._known.shared[index] = node.columns
            name_by_root(node, list(entry.root.names))
        elif kind == "rel":
            yield f"relation {index}:"
            node = tree(entry.rel, at / "rel", self._known)
            self._known.shared[index] = node.columns
        else:
            yield f"relation {index}: empty"
            return
        yield from self._write(_Step(node, 1))

    def subqueries(self, found: list[Subquery], depth: int) -> Iterator[str]:
        """Yield the trees of subqueries that have no relation around them."""
        for item in found:
            yield from self._write(_Step(None, depth, subquery=item))

    def _write(self, first: _Step) -> Iterator[str]:
        stack = [first]
        while stack:
            step = stack.pop()
            if step.subquery is not None:
                yield f"{indented(step.depth)}subquery {step.subquery.number}:"
                node = tree(step.subquery.message, step.subquery.path, self._known)
                stack.append(_Step(node, step.depth + 1, step.subquery.scope))
            elif step.node is not None:
                yield from self._relation(step, step.node)
                stack.extend(self._below(step, step.node))

    def _relation(self, step: _Step, node: Node) -> Iterator[str]:
        word, parts = self._relations.describe(node, step.outer)
        same = step.above is not None and _same(step.above, node.columns)
        known = bool(node.columns) and not same
        layout = Layout(indented(step.depth))
        columns = columns_text(node.columns, layout.room - 24) if known else ""
        yield from layout.relation(word, parts, columns)

    def _below(self, step: _Step, node: Node) -> list[_Step]:
        """Return what stands below a relation, last first: its subqueries, then its inputs."""
        depth = step.depth + 1
        found = [_Step(None, depth, subquery=s) for s in self._known.notation.take()]
        alone = len(node.inputs) == 1
        for i, below in enumerate(node.inputs):
            outer = step.outer
            if node.kind == "lateral_join" and i == 1:
                outer = lateral_scope(node, outer)
            found.append(_Step(below, depth, outer, node.columns if alone else None))
        return found[::-1]


def _same(above: list[Column], columns: list[Column]) -> bool:
    if above is columns:
        return True
    return len(above) == len(columns) and all(
        a.name == c.name and (a.type is c.type or _type(a) == _type(c))
        for a, c in zip(above, columns, strict=True)
    )


def _type(column: Column) -> str:
    return type_text(column.type)
