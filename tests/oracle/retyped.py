"""Drawn plans with another type for their texts: the rows are the same but for what stands for each text.

The oracle knows integers, texts and booleans. What compares, sorts, groups, joins and passes values on does so for
every type in the same way, so that a plan without functions of texts has to return the same rows when "", "B", "a" and
"b" are four values of another type, in that order.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import substrait.proto as pb

import substrait_sql
from substrait_sql.schema.types import inner_names
from tests.oracle import draw
from tests.support import build
from tests.support.plan_types import is_nullable, literal, spark_type, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import DataFrame, SparkSession

LABELS = ("", "B", "a", "b")
ALLOWED = frozenset(draw.FEATURES) - {"text_function"}
_INFINITE = float("inf")


@dataclass(frozen=True)
class Values:
    """A type, its four values in ascending order as a plan has them, and as PySpark does if that is not the same.

    spark: what Spark calls the type, where `spark_type` does not say.
    """

    type: str
    given: tuple[Any, ...]
    back: tuple[Any, ...] = ()
    spark: str = ""

    def of(self, label: str) -> Any:
        """What stands for a text."""
        return self.given[LABELS.index(label)]

    def plan(self, plan: pb.Plan) -> pb.Plan:
        """The plan with these values for its texts."""
        out = pb.Plan()
        out.CopyFrom(plan)
        _exchange(out, self)
        kind = type_of(self.type)
        roots = [r.root for r in out.relations if r.WhichOneof("rel_type") == "root"]
        for root, statement in zip(roots, substrait_sql.render(plan).statements, strict=True):
            texts = [str(column.type).startswith("string") for column in statement.columns]
            root.names[:] = _names(root.names, [kind if text else None for text in texts])
        return out

    def rows(self, frame: DataFrame) -> list[tuple[Any, ...]]:
        """The rows, with the texts again."""
        labels = {_key(v): x for v, x in zip(self.back or self.given, LABELS, strict=True)}
        # Of structs without the names of their fields.
        held = self.spark or (spark_type(type_of(self.type)) or "string").partition("<")[0]
        places = {
            i for i, f in enumerate(frame.schema) if f.dataType.simpleString().startswith(held)
        }
        return [
            tuple(
                labels[_key(v)] if i in places and v is not None else v for i, v in enumerate(row)
            )
            for row in frame.collect()
        ]

    def views(self, spark: SparkSession) -> None:
        """The three tables, with these values for their texts."""
        for name, (columns, rows) in draw.TABLES.items():
            given = [tuple(self.of(v) if isinstance(v, str) else v for v in row) for row in rows]
            types = f"k:i64? s:{self.type}? b:bool?"
            kinds = [None, type_of(self.type), None]
            plan = build.plan((build.virtual(types, *given), " ".join(_names(columns, kinds))))
            substrait_sql.execute(spark, plan).createOrReplaceTempView(name)


def _key(value: Any) -> str:
    """What tells values apart, NaN from itself not."""
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_key, value))})"
    return format(value.normalize(), "f") if isinstance(value, Decimal) else repr(value)


def _stamps(*texts: str) -> tuple[dt.datetime, ...]:
    return tuple(map(dt.datetime.fromisoformat, texts))


_STAMPS = _stamps("0001-01-01", "1969-12-31 23:59:59.999", "2024-03-31 02:30", "9999-12-31")
_DAYS = _stamps("0001-01-01", "1969-12-31", "2024-03-31", "9999-12-31")
_INSTANTS = _stamps("1900-01-01", "1969-12-31 23:59:59.999999", "2024-03-31 01:30", "2500-01-01")
TYPES = (
    Values("i8", (-128, -127, 126, 127)),
    Values("i16", (-32768, -32767, 32766, 32767)),
    Values("fp32", (-_INFINITE, 0.0, 1.5, float("nan"))),
    Values("fp64", (-_INFINITE, -0.0, 1.5, _INFINITE), (-_INFINITE, 0.0, 1.5, _INFINITE)),
    Values("dec<7,2>", tuple(map(Decimal, ("-99999.99", "-0.01", "0.50", "99999.99")))),
    Values("dec<38,10>", tuple(map(Decimal, (f"-{'9' * 28}.{'9' * 10}", "-1e-10", "0.5", f"{'9' * 28}")))),
    Values("date", tuple(s.date() for s in _STAMPS)),
    Values("pts<3>", _STAMPS),
    Values("ptstz<6>", tuple(s.replace(tzinfo=dt.UTC) for s in _INSTANTS), _INSTANTS),
    Values(
        "iday<6>",
        ((-1, -1, 0), (0, 0, 0), (0, 86_400, 0), (1, 0, 1)),
        (dt.timedelta(-1, -1), dt.timedelta(0), dt.timedelta(1), dt.timedelta(1, 0, 1)),
    ),
    Values("binary", (b"", b"B", b"a\0", b"\xff")),
    Values("fbin<2>", (b"\0\0", b"B ", b"a\0", b"\xff\xff")),
    Values("fchar<2>", ("AB", "B ", "a ", "b'")),
    Values("vchar<3>", ("", "B ", "a", "é")),
    Values("uuid", tuple(f"{n:08x}-0000-0000-0000-00000000000{n % 16:x}" for n in (0, 10, 2**31, 2**32 - 1))),
    Values("list<i32?>", ([], [-1], [0, 1], [1])),
    Values("list<str?>", ([], ["", "z"], ["a"], ["a", "a"])),
    Values("pt<6>", (dt.time(), dt.time(0, 0, 0, 1), dt.time(12, 30), dt.time(23, 59, 59, 999999)), spark="time(6)"),
    Values("struct<i64?,str?>", ((None, "z"), (-1, None), (0, "a"), (0, "b"))),
    Values(
        "struct<pts<0>?,struct<vchar<3>?>?>",
        ((_DAYS[0], None), (_DAYS[1], ("",)), (_DAYS[2], ("B ",)), (_DAYS[2], ("é",))),
    ),
    Values("list<struct<fp64?>?>", ([], [(-_INFINITE,)], [(0.5,), None], [(0.5,), (None,)])),
)  # fmt: skip


def _names(names: Iterable[str], types: Iterable[Any]) -> list[str]:
    """The names of columns, each with those of the fields inside of its type behind it. types: None for no struct."""
    found: list[str] = []
    for name, type in zip(names, types, strict=True):
        found += [name, *(f"f{i}" for i in range(inner_names(type) if type else 0))]
    return found


def _exchange(message: Any, values: Values) -> None:
    name = message.DESCRIPTOR.full_name
    if name == "substrait.Type" and message.WhichOneof("kind") == "string":
        message.CopyFrom(type_of(values.type + "?" * is_nullable(message)))
    elif name == "substrait.Expression.Literal" and message.WhichOneof("literal_type") == "string":
        kind = type_of(values.type + "?" * message.nullable)
        message.CopyFrom(literal(values.of(message.string), kind))
    else:
        for field, held in message.ListFields():
            if field.message_type is not None:
                for each in [held] if hasattr(held, "DESCRIPTOR") else held:
                    _exchange(each, values)
        if name == "substrait.NamedStruct" and len(message.names) == len(message.struct.types):
            message.names[:] = _names(message.names, message.struct.types)
