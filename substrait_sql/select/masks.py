"""The column that tells the grouping sets of a SELECT apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.select.field import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlglot import exp

    from substrait_sql.select.field import Parts


class SetNumber(Field):
    """It knows how Spark asks which keys a set has: ``grouping(key)``.

    masks: of each number the keys that the set leaves out, a bit for each. bits: what makes the column of a bit, by its
    place from 0 for the last key; not those of keys that no set has.
    """

    __slots__ = ("bits", "masks")

    def __init__(
        self,
        field: Field,
        sql: exp.Expression,
        parts: Parts,
        masks: Mapping[int, int],
        bits: Mapping[int, Callable[[], Field]],
    ) -> None:
        super().__init__(field.type, field.name, sql=sql, parts=parts, sql_type=field.sql_type)
        self.masks = masks
        self.bits = bits
