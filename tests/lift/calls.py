"""Arguments of drawn calls: columns of `spark_types.TABLE` and literals, as Spark reads them and as we do."""

from __future__ import annotations

from decimal import Decimal

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument
from substrait_sql.lift.typing.types import SparkType
from tests.lift.spark_types import KINDS


def _literal(kind: SparkType, value: object = None) -> Argument:
    return Argument(kind, nullable=kind == t.VOID, constant=True, value=value)


LITERALS: dict[str, Argument] = {
    "NULL": _literal(t.VOID), "0": _literal(t.INT, 0), "1": _literal(t.INT, 1), "2": _literal(t.INT, 2),
    "-1": _literal(t.INT, -1), "5L": _literal(t.BIGINT, 5), "2.5": _literal(t.decimal(2, 1), Decimal("2.5")),
    "1e0": _literal(t.DOUBLE, 1.0), "'a'": _literal(t.STRING, "a"), "'1'": _literal(t.STRING, "1"),
    "'2020-01-01'": _literal(t.STRING, "2020-01-01"),
    "'a INT, b STRING'": _literal(t.STRING, "a INT, b STRING"), "X'00'": _literal(t.BINARY, b"\0"),
    "DATE'2020-01-01'": _literal(t.DATE), "TIMESTAMP'2020-01-01 00:00:00'": _literal(t.TIMESTAMP),
    "TIMESTAMP_NTZ'2020-01-01 00:00:00'": _literal(t.TIMESTAMP_NTZ), "true": _literal(t.BOOLEAN, True),
    "INTERVAL '1' DAY": _literal(SparkType("interval_day", (0, 0))),
    "INTERVAL '1' MONTH": _literal(SparkType("interval_year", (1, 1))),
    "array(1,2)": _literal(t.array(t.INT, holds_null=False)),
    "array(0.5D)": _literal(t.array(t.DOUBLE, holds_null=False)),
    "map('a','b')": _literal(t.map_(t.STRING, t.STRING, holds_null=False)),
}  # fmt: skip


def argument(text: str) -> Argument:
    """What a drawn argument is."""
    found = LITERALS.get(text)
    if found is not None:
        return found
    first, _, kind = text.partition("_")
    return Argument(KINDS[kind], nullable=first == "n", name=text)
