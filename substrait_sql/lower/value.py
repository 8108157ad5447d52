"""`Value`, a lowered expression with its types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.select.field import Field

if TYPE_CHECKING:
    from substrait_sql.select.field import Parts


class Value:
    """A lowered expression.

    type: as declared, None if the plan does not say. sql_type: the Substrait type of what the SQL yields, where that
    is another one. name: what a column of it may be called. subject: the column it is mainly about. literal: the
    protobuf literal it is, if it is one. narrow: the number that it is without the cast around it, which only makes its
    type wider. most: what it is never further from zero than, where that is known of a double: then it is a number.
    coerced: Spark makes it of its declared type by itself where it stands, so that no cast is needed for that.
    inside: of a CAST, the type of the number in it, where the cast leaves that as it is or fails.
    """

    __slots__ = (
        "coerced",
        "inside",
        "literal",
        "most",
        "name",
        "narrow",
        "sql",
        "sql_type",
        "subject",
        "type",
    )

    def __init__(
        self,
        sql: exp.Expression,
        type: Any,
        sql_type: Any = None,
        name: str = "",
        literal: Any = None,
        subject: str = "",
    ) -> None:
        self.sql = sql
        self.type = type
        self.sql_type = sql_type
        self.name = name
        self.literal = literal
        self.subject = subject or name
        self.narrow: Value | None = None
        self.most: float | None = None
        self.coerced = False
        self.inside: Any = None

    @property
    def is_null(self) -> bool:
        """Whether it is the literal NULL."""
        return self.literal is not None and self.literal.WhichOneof("literal_type") == "null"

    def as_field(self, parts: Parts) -> Field:
        """The value as an output column."""
        field = Field(
            self.type,
            self.name,
            sql=self.sql,
            sql_type=self.sql_type,
            parts=parts,
            subject=self.subject,
        )
        if self.narrow is not None:
            field.narrow = self._casts()
        field.literal, field.most = self.literal, self.most
        return field

    @classmethod
    def of_field(cls, field: Field, sql: exp.Expression) -> Value:
        """A use of an output column, whose expression is `sql` here."""
        value = cls(sql, field.type, field.sql_type, field.name, None, field.subject)
        value.most = field.most
        if field.narrow is not None:
            casts, type = field.narrow
            for _ in range(casts):
                sql = sql.this
            value.narrow = cls(sql, type, None, field.name, None, field.subject)
        return value

    def _casts(self) -> tuple[int, Any] | None:
        """How many casts stand around the narrow number, and its type; None where it is no part of the SQL any more."""
        assert self.narrow is not None
        casts, node = 0, self.sql
        while node is not self.narrow.sql:
            if type(node) is not exp.Cast:
                return None
            casts, node = casts + 1, node.this
        return casts, self.narrow.sql_type or self.narrow.type
