"""`Value`, a lowered expression with its types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.select.field import Field, Parts

if TYPE_CHECKING:
    from sqlglot import exp


class Value:
    """A lowered expression.

    type: as declared, None if the plan does not say. sql_type: the Substrait type of what the SQL yields, where that
    is another one. name: what a column of it may be called. subject: the column it is mainly about. literal: the
    protobuf literal it is, if it is one. narrow: the number that it is without the cast around it, which only makes its
    type wider. most: what it is never further from zero than, where that is known of a double: then it is a number.
    """

    __slots__ = ("literal", "most", "name", "narrow", "sql", "sql_type", "subject", "type")

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

    @property
    def is_null(self) -> bool:
        """Whether it is the literal NULL."""
        return self.literal is not None and self.literal.WhichOneof("literal_type") == "null"

    def as_field(self, parts: Parts) -> Field:
        """The value as an output column."""
        found = Field(
            self.type,
            self.name,
            sql=self.sql,
            sql_type=self.sql_type,
            parts=parts,
            subject=self.subject,
        )
        if self.narrow is not None and self.sql.args.get("this") is self.narrow.sql:
            found.narrow = self.narrow.sql_type or self.narrow.type
        return found
