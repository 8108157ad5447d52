"""What is around a window function's call: its partitions, its order, its frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.lower.expressions.references.selection import of_field
from substrait_sql.lower.relations.rows.sort_fields import require_order, sort_keys
from substrait_sql.lower.retry import apart
from substrait_sql.select.present import ordered
from substrait_sql.spark.clauses import Clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

    from substrait_sql.lower.context import Env
    from substrait_sql.select.block import SortKey
    from substrait_sql.select.field import Parts
    from substrait_sql.wire.path import Path


@dataclass(slots=True)
class Window:
    """What stands in an OVER clause besides the frame. parts: what the keys use, if they are written.

    key_type: that of the first key, in SQL.
    """

    partitions: list[exp.Expression]
    keys: list[exp.Expression]
    parts: Parts
    key_type: Any = None


@dataclass(slots=True)
class Over:
    """The partitions and sort fields of a window as the plan has them, and where."""

    partitions: Sequence[Any]
    partitions_at: Path
    sorts: Sequence[Any]
    sorts_at: Path

    def window(self, env: Env) -> Window:
        """The rows that a function is computed over, and their order."""
        partitions = [
            self._partition(p, env, self.partitions_at[i]) for i, p in enumerate(self.partitions)
        ]
        with env.apart() as parts:
            found = self.sort_keys(env)
            keys = written_keys(found, env)
        key = found[0].field if found else None
        return Window(partitions, keys, parts, key and (key.sql_type or key.type))

    def _partition(self, message: Any, env: Env, path: Path) -> exp.Expression:
        """Spark finds partitions by sorting."""
        value = apart(message, env, path, Clause.OVER)
        require_order(value.type, path)
        return value.sql

    def sort_keys(self, env: Env) -> list[SortKey]:
        """The keys that the rows are sorted by."""
        return sort_keys(self.sorts, env, self.sorts_at, Clause.OVER)


def written_keys(keys: Sequence[SortKey], env: Env) -> list[exp.Expression]:
    """The ORDER BY of the window; a constant key orders nothing and would be read as an ordinal."""
    nodes: list[exp.Expression] = []
    for key in keys:
        own = any(key.field is f for f in env.fields)
        node = of_field(key.field, env).sql if own else key.field.emit(env.parts)
        nodes.append(ordered(node, key, env.block))
    return nodes
