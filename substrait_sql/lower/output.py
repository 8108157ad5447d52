"""The output of a plan: columns under their declared types, with the names the root gives fields of structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lower.common_type import holds, of_key
from substrait_sql.lower.declared_types import exact, relabelled
from substrait_sql.schema import naming, types
from substrait_sql.select.block import BESIDE_SELECT
from substrait_sql.select.field import Field, Parts
from substrait_sql.spark.selects import asks_changed_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path


def inner_names(names: Sequence[str], block: Block) -> list[list[str]]:
    """For each column the names that the root gives the struct fields inside it. names: all of the root's."""
    if len(names) in (0, len(block.fields)):
        return [[] for _ in block.fields]
    found, at = [], 0
    for f in block.fields:
        after = at + (types.field_count(f.type) if f.type is not None else 1)
        found.append(list(names[at + 1 : after]))
        at = after
    return found


def exact_output(block: Block, cx: Context, path: Path, inner: list[list[str]]) -> Block:
    """The output under the declared types: this is where they can be seen.

    inner: the names of the struct fields inside each column, which belong to the type in SQL.
    """
    changes: dict[int, tuple[Any, Any]] = {}
    for i, f in enumerate(block.fields):
        actual, wanted = f.sql_type, f.type
        if wanted is None:
            continue
        cx.saw(wanted)
        if inner[i]:
            actual, wanted = actual or wanted, naming.named(wanted, inner[i])
        elif actual is not None and types.same(naming.bare(actual), wanted):
            continue
        if actual is not None and not types.same(actual, wanted):
            changes[i] = (actual, wanted)
    if not changes:
        return block
    if asks_changed_key(block, changes) or not block.says_only(BESIDE_SELECT):
        probe = {i: c for i, c in changes.items() if _needs_cast(c, cx, path)}
        if not probe:
            return block
        block = block.close()
    for i, change in changes.items():
        block.fields[i] = _exact_field(block, i, change, cx, path)
    return block


def _needs_cast(change: tuple[Any, Any], cx: Context, path: Path) -> bool:
    probe = exp.Null()
    return exact(probe, change[0], change[1], cx, path) is not probe


def _exact_field(
    block: Block, column: int, change: tuple[Any, Any], cx: Context, path: Path
) -> Field:
    field = block.fields[column]
    if not _needs_cast(change, cx, path):
        return field
    key = _renamed_key(block, column, change[1], cx, path)
    if key is not None:
        return key
    parts = Parts()
    sql = exact(field.emit(parts), *change, cx, path, whole=of_key(block, field))
    named = None if types.same(change[1], field.type) else change[1]
    return Field(field.type, field.name, sql=sql, sql_type=named, parts=parts, source=field.source)


def _renamed_key(block: Block, column: int, wanted: Any, cx: Context, at: Path) -> Field | None:
    """The column with the names of a type, in GROUP BY as well; None if it is no key, or is read elsewhere.

    ``SELECT named_struct('a', a) … GROUP BY named_struct('a', a)``
    """
    field = block.fields[column]
    others = [f for i, f in enumerate(block.fields) if i != column] + block.having
    for i, key in enumerate(block.group or ()):
        if key.sql is None or key.sql != field.sql or any(holds(f, key) for f in others):
            continue
        made = relabelled(key.sql, key.sql_type or key.type, wanted, cx, at)
        if made is None or block.grouping_sets:
            return None
        fresh = field.with_type(field.type)
        fresh.sql, fresh.sql_type = made, wanted
        block.group = [fresh if j == i else k for j, k in enumerate(block.group or ())]
        return fresh
    return None
