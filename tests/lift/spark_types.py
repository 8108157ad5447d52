"""Spark's types as its schemas write them in JSON, and a table with columns of all types."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.parse import parse_type
from substrait_sql.lift.typing.types import SparkType

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NAMES = {
    "byte": "tinyint",
    "short": "smallint",
    "integer": "int",
    "long": "bigint",
    "float": "float",
}
_BACK = {new: old for old, new in _NAMES.items()}


def from_json(found: Any) -> SparkType:
    """The type of one field of a schema."""
    if isinstance(found, str) and found.startswith("timestamp_ltz"):
        return parse_type(found)
    if isinstance(found, str) and found.startswith("geo"):
        kind, _, place = found.rstrip(")").partition("(")
        srid = place.partition(",")[0]
        return SparkType(kind, {"SRID:ANY": (), "OGC:CRS84": (4326,)}.get(srid, (0,)))
    if isinstance(found, str):
        return parse_type(_NAMES.get(found, found))
    match found["type"]:
        case "array":
            return t.array(from_json(found["elementType"]), holds_null=found["containsNull"])
        case "map":
            key, value = from_json(found["keyType"]), from_json(found["valueType"])
            return t.map_(key, value, holds_null=found["valueContainsNull"])
    return t.struct(
        t.Field(f["name"], from_json(f["type"]), f["nullable"]) for f in found["fields"]
    )


def to_json(x: SparkType) -> Any:
    """What `from_json` reads."""
    match x.kind:
        case "array":
            return {
                "type": "array",
                "elementType": to_json(x.element),
                "containsNull": x.holds_null,
            }
        case "map":
            key, value = map(to_json, x.parts)
            return {
                "type": "map",
                "keyType": key,
                "valueType": value,
                "valueContainsNull": x.holds_null,
            }
        case "struct":
            return {
                "type": "struct",
                "fields": [_field(f.name, f.type, f.nullable) for f in x.fields],
            }
    return _BACK.get(x.kind, str(x))


def _field(name: str, kind: SparkType, nullable: bool) -> dict[str, Any]:
    return {"name": name, "type": to_json(kind), "nullable": nullable, "metadata": {}}


def _struct(text: str, *, nullable: bool = True) -> SparkType:
    found = parse_type(f"struct<{text}>")
    return t.struct(t.Field(f.name, f.type, nullable) for f in found.fields)


# The columns by what their names end with; n_… may be NULL, r_… may not.
KINDS: dict[str, SparkType] = {
    "bool": t.BOOLEAN, "tiny": t.TINYINT, "small": t.SMALLINT, "int": t.INT, "big": t.BIGINT, "float": t.FLOAT,
    "double": t.DOUBLE, "dec": t.decimal(10, 2), "dec4": t.decimal(4, 0), "dec38": t.decimal(38, 18),
    "str": t.STRING, "bin": t.BINARY, "date": t.DATE, "ts": t.TIMESTAMP, "ntz": t.TIMESTAMP_NTZ,
    "time": SparkType("time", (6,)), "time0": SparkType("time", (0,)), "ym": t.YEAR_MONTH,
    "month": SparkType("interval_year", (1, 1)), "ds": t.DAY_SECOND, "hour": SparkType("interval_day", (1, 1)),
    "cal": t.CALENDAR_INTERVAL, "var": t.VARIANT, "a_int": t.array(t.INT),
    "a_int_r": t.array(t.INT, holds_null=False), "a_big": t.array(t.BIGINT), "a_str": t.array(t.STRING),
    "a_float": t.array(t.FLOAT), "a_double": t.array(t.DOUBLE, holds_null=False), "a_date": t.array(t.DATE),
    "a_a": t.array(t.array(t.INT, holds_null=False)), "a_st": t.array(_struct("a: int, b: string")),
    "a_st_r": t.array(_struct("a: string, b: bigint", nullable=False), holds_null=False),
    "a_m": t.array(t.map_(t.STRING, t.INT)), "m_si": t.map_(t.STRING, t.INT),
    "m_is": t.map_(t.INT, t.STRING, holds_null=False), "m_ss": t.map_(t.STRING, t.STRING),
    "st": _struct("a: int, b: string"), "st_r": _struct("a: int, b: string", nullable=False),
    "st_d": _struct("x: double, y: date"), "st_m": _struct("k: map<string,int>"),
}  # fmt: skip
TABLE = "every_type"


def table(spark: SparkSession) -> None:
    """A view with no rows and two columns of each type."""
    gateway = spark._jvm
    assert gateway is not None
    fields = [
        _field(f"{first}_{name}", kind, first == "n")
        for name, kind in KINDS.items()
        for first in ("n", "r")
    ]
    schema = json.dumps({"type": "struct", "fields": fields})
    java = gateway.org.apache.spark.sql.types.DataType.fromJson(schema)
    rows = gateway.java.util.ArrayList()
    spark._jsparkSession.createDataFrame(rows, java).createOrReplaceTempView(TABLE)
