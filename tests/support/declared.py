"""The tables that a plan reads, in the form that `to_plan(schema=…)` takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.typing.parse import parse_type
from substrait_sql.lift.typing.types import Field, SparkType
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.rendered import Rendered, Source

Schema = dict[tuple[str, ...], list[Field]]
_READER = re.compile(r"(\w+)\.`((?:[^`]|``)*)`")


def schema_of(rendered: Rendered) -> Schema:
    """The columns of the tables that a plan reads, as its reads declare them.

    A column of no type, which only a column that nobody uses may be, is left out.
    """
    out: Schema = {}
    for source in rendered.sources:
        columns: dict[str, Field] = {}
        for _, declared in source.reads:
            for column, kind in declared:
                name, text = column.name, column.spark_type
                if text:
                    field = Field(name, _with_nulls(parse_type(text), kind), ty.nullable(kind))
                    columns.setdefault(name.casefold(), field)
        out[_name(source)] = list(columns.values())
    return out


def _name(source: Source) -> tuple[str, ...]:
    if source.view is not None:
        return (source.view.name,)
    found = _READER.fullmatch(source.reader)
    return (found[1], found[2].replace("``", "`")) if found else source.names


def _with_nulls(kind: SparkType, declared: Any) -> SparkType:
    """Spark's type with what the declared type says about NULLs inside."""
    inside = list(ty.children(declared))
    match kind.kind:
        case "array" | "map" if len(inside) == len(kind.parts):
            parts = tuple(map(_with_nulls, kind.parts, inside))
            return SparkType(kind.kind, (), parts, ty.nullable(inside[-1]))
        case "struct" if len(inside) == len(kind.fields):
            fields = (
                Field(f.name, _with_nulls(f.type, d), ty.nullable(d))
                for f, d in zip(kind.fields, inside, strict=True)
            )
            return SparkType("struct", fields=tuple(fields))
    return kind
