"""What passes between the lowering and a dialect.

A call with lowered arguments in, SQL and its types out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.schema.types import kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.schema.functions import FunctionName
    from substrait_sql.wire.path import Path

Node = exp.Expression


class Argument:
    """One argument of a call, lowered.

    sql: the value's SQL, None for enum and type arguments. type: its declared Substrait type, None
    if unknown. sql_type: the type that
    the SQL text really has, None if it is ``type``. enum: the value of an enum argument. narrow: what the value is
    without the casts around it, where these only widen the type of a number. inside: of a CAST, the type of the number
    in it, where the cast leaves that as it is or fails. kind: of ``type``, None if that is unknown.
    """

    __slots__ = ("enum", "inside", "kind", "narrow", "sql", "sql_type", "type")

    def __init__(
        self,
        sql: Node | None = None,
        type: Any = None,
        sql_type: Any = None,
        enum: str | None = None,
        narrow: Node | None = None,
        inside: Any = None,
    ) -> None:
        self.sql = sql
        self.sql_type = sql_type
        self.enum = enum
        self.narrow = narrow
        self.inside = inside
        self.type = type
        self.kind: str | None = None if type is None else type.WhichOneof("kind")

    def retype(self, type: Any) -> None:
        """Declares it of another type."""
        self.type, self.kind = type, kind(type)


class Call:
    """A function call of a plan.

    ``output_type`` is as declared, None or an empty type where the plan declares none; ``output_kind`` what that is.
    ``valued``: the arguments that are values.
    ``chosen``: the option values to deliver, by name, both in upper case; for rules, which have to tell them apart.
    ``make_exact`` writes the arguments of the call that it is given in SQL of exactly their declared types: `1` is
    otherwise written for any integer. It holds no call itself, so that none waits for the garbage collector.
    """

    __slots__ = (
        "arguments",
        "chosen",
        "distinct",
        "function",
        "make_exact",
        "options",
        "output_kind",
        "output_type",
        "path",
        "valued",
    )

    def __init__(
        self,
        function: FunctionName,
        arguments: list[Argument],
        options: Sequence[tuple[str, Sequence[str]]],
        output_type: Any | None,
        path: Path,
        distinct: bool = False,
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.options = options
        self.output_type = output_type
        self.output_kind: str | None = (
            None if output_type is None else output_type.WhichOneof("kind")
        )
        self.path = path
        self.distinct = distinct
        self.chosen: dict[str, str] = {}
        self.make_exact: Callable[[Call], None] | None = None
        self.valued = [a for a in arguments if a.sql is not None]

    @property
    def values(self) -> list[Node]:
        """The SQL of the value arguments, in order."""
        return [a.sql for a in self.valued if a.sql is not None]

    @property
    def types(self) -> list[Any]:
        """The types Spark sees in the value arguments, in order; None where unknown."""
        return [a.type if a.sql_type is None else a.sql_type for a in self.valued]

    @property
    def kinds(self) -> list[str | None]:
        """The kinds of those types."""
        return [a.kind if a.sql_type is None else kind(a.sql_type) for a in self.valued]


@dataclass(slots=True)
class Built:
    """A call as SQL.

    sql: the text's tree. type: the Substrait type of the result, None if unknown. sql_type: what
    Spark yields, None if it is ``type``.
    calls: for aggregate and window functions, the calls inside ``sql`` that an OVER or a FILTER
    belongs to, none if it is a constant; None for just ``sql``.
    impure: whether a second evaluation may give another value.
    registered: whether it is an aggregate that is not Spark's own, of which nobody knows what it is over no rows.
    casts: whether it is the argument, which is to be cast to the type.
    """

    sql: Node
    type: Any | None
    sql_type: Any | None = None
    calls: tuple[Node, ...] | None = None
    impure: bool = False
    registered: bool = False
    casts: bool = False

    def wrap(self, around: Callable[[Node], Node]) -> Node:
        """The SQL with ``around`` put about each aggregate call.

        ``sum(x) div count(x)`` takes its OVER clause twice.
        """
        if self.calls is None or self.calls == (self.sql,):
            self.sql = around(self.sql)
            return self.sql
        for call in self.calls:
            if call.parent is None:
                self.sql = around(call)
            else:
                place = exp.Null()
                call.replace(place)
                place.replace(around(call))
        return self.sql
