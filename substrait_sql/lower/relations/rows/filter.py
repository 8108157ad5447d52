"""https://substrait.io/relations/logical_relations/#filter-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lower.declared_types import require_boolean
from substrait_sql.lower.expression import expression
from substrait_sql.lower.needs import fields_of, is_over, needs, windows
from substrait_sql.lower.records import content
from substrait_sql.lower.relation import environment, lowers, relation
from substrait_sql.lower.relations.rows.below_lookup import kept_rows
from substrait_sql.lower.retry import columns_first, settled
from substrait_sql.select.asked import Asked
from substrait_sql.select.block import Block, Slot
from substrait_sql.select.conditions import Conditions
from substrait_sql.select.field import Field, Traits, hold
from substrait_sql.select.signals import CloseBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path

# What may say that a condition is TRUE.
_TRUE = ("is_true", "is_not_distinct_from")
# What is never TRUE of a NULL.
_NEVER_OF_NULL = frozenset({"equal", "not_equal", "lt", "lte", "gt", "gte", "between", "like"})
_MIXED = Traits.OUTER | Traits.SUBQUERY


@lowers("filter")
def filter_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """WHERE, or HAVING above an aggregation: ``Filter(Read(t), x > 1)`` is ``SELECT … FROM t WHERE x > 1``."""
    block = relation(message.input, cx, path / "input", outer)
    return keep(block, message, message.condition, cx, path / "condition", outer)


def keep(
    block: Block, host: Any, condition: Any, cx: Context, path: Path, outer: Env | None
) -> Block:
    """The rows of a block for which a condition is TRUE. host: the relation that the condition belongs to."""
    if _kept_below(block, host, condition, cx, path, outer):
        return block
    block = block.at(Slot.HAVING if block.group is not None or block.groups_all else Slot.WHERE)
    if not _takes(block, condition, cx, path, outer):
        block = block.close()
    places = [
        (m, at)
        for m, at in windows(condition, path, cx)
        if is_over(m.window_function, cx, at / "window_function")
    ]

    def computed(over: Block) -> list[Field]:
        env = environment(host, cx, over, outer)
        return [expression(m, env, at).as_field(env.take()) for m, at in places]

    block = columns_first(block, [at for _, at in places], computed)

    parts = list(conjuncts(condition, cx, path))

    def lower(over: Block) -> list[Field]:
        # Once more from the start: a block that has closed in between has no groups any more.
        env = environment(host, cx, over, outer)
        env.keeps, env.plain = True, outer is None
        # DataFusion writes a filter that it has pushed into a read there and above it: it is lowered once.
        said = _clause(over).contents
        unsaid = parts
        # `check` tells every place of a problem.
        if said and cx.findings is None:
            contents = [content(part, over.fields) for part, _ in parts]
            unsaid = [p for p, c in zip(parts, contents, strict=True) if c is None or c not in said]
        return _lowered(unsaid, env)

    block, found = settled(block, lower)
    clause, record = _clause(block), list(block.fields)
    clause.add(found)
    clause.note(lambda: [content(part, record) for part, _ in parts], found)
    return block


def _kept_below(
    block: Block, host: Any, condition: Any, cx: Context, path: Path, outer: Env | None
) -> bool:
    """Whether the rows have been picked already where a single join looks up their matches, see `kept_rows`."""
    below = kept_rows(block, condition, cx)
    if below is None:
        return False
    rows, record = below
    env = environment(host, cx, rows, outer, fields=record)
    env.keeps, env.plain = True, outer is None
    try:
        found = _lowered(conjuncts(condition, cx, path), env)
    except CloseBlock:
        return False
    _clause(rows).add(found)
    return True


def _takes(block: Block, condition: Any, cx: Context, path: Path, outer: Env | None) -> bool:
    """Whether HAVING can have the condition.

    Where a measure is compared with an outer column, Spark (as of 4.3) loses the measure; a key that is compared with
    one is read as well behind the groups. Over grouping sets it looks for the columns of a measure's FILTER among them.
    It does not find the column of a window of time.
    """
    if block.group is None:
        return True
    record = block.fields
    used = list(fields_of(condition, record))
    if any(f.traits & Traits.TIME_WINDOW for f in used):
        return False
    if block.grouping_sets and any(f.sql is not None and f.sql.find(exp.Filter) for f in used):
        return False
    if outer is None:
        return True
    found = (needs(part, record, cx) for part, _ in conjuncts(condition, cx, path))
    return not any(n & Traits.OUTER for n in found)


def _clause(block: Block) -> Conditions:
    conditions = block.where if block.group is None else block.having
    # Others add to the list, which is read on from where it ended, or put another one in its place.
    if block.clause is None or block.clause.conditions is not conditions:
        block.clause = Conditions(conditions)
    return block.clause


def conditions(condition: Any, env: Env, path: Path, asked: Asked = Asked.TRUE) -> list[Field]:
    """The condition, taken apart at its ANDs; a literal TRUE says nothing and is left out.

    asked: what of the condition matters; in a filter a row for which it is NULL is one for which it is FALSE.
    """
    return _lowered(conjuncts(condition, env.context, path), env, asked)


def _lowered(parts: Iterable[tuple[Any, Path]], env: Env, asked: Asked = Asked.TRUE) -> list[Field]:
    found = []
    env.asked = asked
    # `check` tells every place of a problem.
    if asked is Asked.TRUE and env.context.findings is None:
        parts = _without_implied(list(parts), env.context)
    # Spark makes a join condition of what has both an outer column and a subquery, and has no subquery in one.
    refers = env.outer is not None or env.paired
    queries = refers and (bool(env.context.lambdas) or hold(env.fields, Traits.SUBQUERY))
    for each, place in parts:
        part, at = each, place
        if asked is Asked.TRUE:
            part, at = _asked_for(each, env.context, place)
        asks = env.context.held.subquery(part)
        if asks and asked is Asked.TRUE:
            _note_whole(part, env, at)
        env.queries_apart = refers and (queries or asks) and _is_mixed(part, env)
        value = expression(part, env, at)
        require_boolean(value, at)
        node = value.sql
        if isinstance(node, exp.Boolean) and node.this:
            env.take()
            continue
        if isinstance(node, exp.Null):  # Spark takes no NULL without a type for a condition.
            value.sql = exp.Cast(this=node, to=exp.DataType.build("boolean"))
        found.append(value.as_field(env.take()))
    return found


def _without_implied(parts: list[tuple[Any, Path]], cx: Context) -> list[tuple[Any, Path]]:
    """The terms but for ``x IS NOT NULL`` beside one that is not TRUE where x is NULL, as ``x = 5``.

    DuckDB writes both for each filter that it has pushed into a read.
    """
    tests: dict[int, bytes] = {}
    for i, (part, at) in enumerate(parts):
        if _called(part, cx, at) == "is_not_null":
            for column in _columns(part):
                tests[i] = column
    if not tests:
        return parts
    known: set[bytes] = set()
    for part, at in parts:
        known |= _never_null(part, cx, at)
    return [each for i, each in enumerate(parts) if tests.get(i) not in known]


def _never_null(condition: Any, cx: Context, path: Path) -> set[bytes]:
    """The columns that are not NULL where the condition is TRUE; those of an OR are so in each of its terms."""
    found: set[bytes] | None = None
    for part, at in _terms(condition, cx, path, "or"):
        columns: set[bytes] = set()
        if part.HasField("singular_or_list"):
            columns.add(part.singular_or_list.value.SerializeToString(deterministic=True))
        elif _called(part, cx, at) in _NEVER_OF_NULL:
            columns.update(_columns(part))
        found = columns if found is None else found & columns
        if not found:
            break
    return found or set()


def _called(condition: Any, cx: Context, path: Path) -> str | None:
    """What the function is that the condition calls; None where it calls none."""
    if condition.WhichOneof("rex_type") != "scalar_function":
        return None
    return cx.functions.get(condition.scalar_function.function_reference, path).standard


def _columns(condition: Any) -> list[bytes]:
    """The arguments of a call that are columns."""
    values = [a.value for a in condition.scalar_function.arguments]
    return [v.SerializeToString(deterministic=True) for v in values if v.HasField("selection")]


def _asked_for(condition: Any, cx: Context, path: Path) -> tuple[Any, Path]:
    """What is asked whether it is TRUE, where nothing else is wanted: ``x`` for ``x IS TRUE``."""
    while condition.WhichOneof("rex_type") == "scalar_function":
        call = condition.scalar_function
        name = cx.functions.get(call.function_reference, path).standard
        if name not in _TRUE:
            break
        values = [a.value for a in call.arguments]
        is_true = name == "is_true" and len(values) == 1
        equals_true = len(values) == 2 and values[1].literal.boolean
        if not is_true and not (name == "is_not_distinct_from" and equals_true):
            break
        condition, path = values[0], (path / "scalar_function").argument(0)
    return condition, path


def _is_mixed(part: Any, env: Env) -> bool:
    return needs(part, env.fields, env.context) & _MIXED == _MIXED


def _note_whole(part: Any, env: Env, path: Path) -> None:
    """Notes an IN that is the whole of a condition whose TRUE is asked for, or all of it but a NOT."""
    if part.WhichOneof("rex_type") == "scalar_function" and env.keeps:
        call = part.scalar_function
        name = env.context.functions.get(call.function_reference, path)
        if name.standard == "not" and len(call.arguments) == 1:
            part, path = call.arguments[0].value, (path / "scalar_function").argument(0)
    if part.HasField("subquery") and part.subquery.HasField("in_predicate"):
        env.whole.add(str(path / "subquery" / "in_predicate"))


def conjuncts(condition: Any, cx: Context, path: Path) -> Iterator[tuple[Any, Path]]:
    """The operands of nested ANDs, left to right."""
    return _terms(condition, cx, path, "and")


def _terms(condition: Any, cx: Context, path: Path, name: str) -> Iterator[tuple[Any, Path]]:
    """The operands of nested calls of one function, left to right."""
    stack = [(condition, path)]
    while stack:
        message, at = stack.pop()
        if _called(message, cx, at) == name:
            inner = at / "scalar_function"
            arguments = message.scalar_function.arguments
            parts = [(a.value, inner.argument(i)) for i, a in enumerate(arguments)]
            stack.extend(reversed(parts))
        else:
            yield message, at
