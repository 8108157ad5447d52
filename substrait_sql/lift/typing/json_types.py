"""Spark's types in JSON, as ``DataFrame.schema.json()`` writes them and ``from_json`` takes them as a schema.

https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.types.StructType.html
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.lift.typing.parse import NotAType, parse_schema, parse_type
from substrait_sql.lift.typing.types import Field, SparkType, array, map_, struct

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES: Final = {"integer": "int", "long": "bigint", "short": "smallint", "byte": "tinyint"}
# What a text may say that is no type to everybody: a class of the JVM, an order of texts.
_FOREIGN: Final = ('"udt"', " collate ")


@cache
def schema_of_text(text: str) -> SparkType:
    """The type that a text says as ``from_json`` reads it: a list of columns, a type, or JSON.

    Raises `NotAType`.
    """
    if not text.lstrip().startswith(("{", '"')):
        return parse_schema(text)
    try:
        described = json.loads(text)
        if any(word in text for word in _FOREIGN):
            raise NotAType("a class or a collation is no part of a schema here")
        return type_of(described)
    except NotAType:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise NotAType(f"no type in JSON: {text!r}") from error


def columns_of(described: Mapping[str, Any]) -> list[Field]:
    """The fields of a schema as Spark writes it in JSON."""
    return [
        Field(f["name"], _of_field(f), bool(f.get("nullable", True))) for f in described["fields"]
    ]


def _of_field(field: Mapping[str, Any]) -> SparkType:
    hidden = (field.get("metadata") or {}).get("__CHAR_VARCHAR_TYPE_STRING")
    return parse_type(hidden) if hidden else type_of(field["type"])


def type_of(described: Any) -> SparkType:
    """A type as Spark writes it in JSON."""
    if isinstance(described, str):
        text = described.split(" collate ")[0]
        return parse_type(_NAMES.get(text, text))
    match described["type"]:
        case "array":
            return array(type_of(described["elementType"]), holds_null=described["containsNull"])
        case "map":
            key, value = type_of(described["keyType"]), type_of(described["valueType"])
            return map_(key, value, holds_null=described["valueContainsNull"])
        case "struct":
            return struct(columns_of(described))
    return type_of(described.get("sqlType", "binary"))
