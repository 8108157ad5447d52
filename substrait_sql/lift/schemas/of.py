"""A catalog of whatever somebody holds that knows the columns of tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import yaml

from substrait_sql.errors import SqlError
from substrait_sql.lift.literals import clocks
from substrait_sql.lift.schemas import arrow, ddl
from substrait_sql.lift.schemas.catalog import Catalog, Table
from substrait_sql.lift.schemas.spark import SessionCatalog
from substrait_sql.lift.typing.json_types import columns_of, schema_of_text
from substrait_sql.lift.typing.parse import NotAType, parse_type
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.types import Field, SparkType
from substrait_sql.strict_yaml import Strict, once


def catalog_of(schema: Any, parameters: Mapping[str, Any] | None = None) -> Catalog:
    """The catalog that a schema describes.

    schema: a Spark session; a folder of Parquet tables; a JSON or YAML file; a mapping of a table's name, its parts
    with dots between them, to its columns: a mapping of names to types, DDL text, a list of (name, type) pairs, a
    schema of Spark's, Arrow's or polars', a DataFrame or table. parameters: types of parameters, by name.

    Raises `SqlError` SS5010, SS5006.
    """
    kinds = _of_parameters(parameters or {})
    if hasattr(schema, "table") and hasattr(schema, "sql") and hasattr(schema, "catalog"):
        return SessionCatalog(schema, kinds)
    if isinstance(schema, (str, PathLike)):
        return Catalog(_of_path(Path(schema)), kinds)
    if schema is None:
        return Catalog((), kinds)
    if isinstance(schema, Mapping):
        return Catalog(_of_mapping(schema), kinds)
    raise SqlError.of(
        "SS5010",
        f"a {type(schema).__name__} is no schema",
        hint="give a mapping of tables to columns, a JSON or YAML file, a folder of Parquet files, or a Spark session",
    )


def _of_parameters(parameters: Mapping[str, Any]) -> dict[str, SparkType]:
    if not isinstance(parameters, Mapping) or any(not isinstance(k, str) for k in parameters):
        hint = "write {'least': 'DECIMAL(10,2)'} for :least"
        raise SqlError.of("SS5006", "parameters are no mapping of names to types", hint=hint)
    return {k: _of_parameter(k, v) for k, v in parameters.items()}


def _of_parameter(name: str, kind: Any) -> SparkType:
    try:
        return _type(kind)
    except NotAType as error:
        raise SqlError.of("SS5006", f"parameter {name}: {error}") from error


def _of_path(path: Path) -> list[Table]:
    try:
        is_folder, is_file = path.is_dir(), path.is_file() or path.is_fifo()
    except OSError as error:  # a name that no file can have
        raise SqlError.of(
            "SS5010", f"no schema is at {str(path)[:80]!r}: {error.strerror}"
        ) from error
    if is_folder:
        return arrow.tables_in(path)
    if not is_file:
        raise SqlError.of("SS5010", f"there is no {path}", hint="give a file or a folder")
    try:
        text = path.read_text(encoding="utf-8")
        is_json = path.suffix == ".json"
        found = json.loads(text, object_pairs_hook=once) if is_json else yaml.load(text, Strict)
    except (ValueError, yaml.YAMLError) as error:
        raise SqlError.of("SS5010", f"{path} is neither JSON nor YAML: {error}") from error
    if not isinstance(found, Mapping):
        raise SqlError.of("SS5010", f"{path} holds no mapping of tables to columns")
    return _of_mapping(found)


def _of_mapping(schema: Mapping[Any, Any], lead: tuple[str, ...] = ()) -> list[Table]:
    found: list[Table] = []
    for name, columns in schema.items():
        parts = (*lead, *(map(str, name) if isinstance(name, tuple) else str(name).split(".")))
        if (
            isinstance(columns, Mapping)
            and columns
            and all(isinstance(v, Mapping) for v in columns.values())
        ):
            found += _of_mapping(columns, parts)
        else:
            found.append(_table(parts, columns))
    return found


def _table(parts: tuple[str, ...], columns: Any) -> Table:
    """A table; columns as DDL text or by name may have defaults."""
    name = ".".join(parts)
    defaults: dict[str, str] = {}
    if not isinstance(columns, (str, Mapping)):
        columns = _schema_of(columns)
    if hasattr(columns, "__arrow_c_schema__"):
        return Table(parts, tuple(arrow.fields_of(columns)))
    if isinstance(columns, str):
        columns, defaults = ddl.apart(columns)
    elif isinstance(columns, Mapping):
        texts = {n: ddl.column_apart(k) for n, k in columns.items() if isinstance(k, str)}
        columns = {n: texts[n][0] if n in texts else k for n, k in columns.items()}
        defaults = {str(n).casefold(): d for n, (_, d) in texts.items() if d is not None}
    return Table(parts, tuple(_columns(columns, name)), defaults=defaults)


def _schema_of(columns: Any) -> Any:
    """The schema of a DataFrame or a table, anything else as it is.

    Spark's, Arrow's and polars' have one, those of DataFusion and Ibis call it. pandas has none: its rows tell what
    `execute` makes of them.
    """
    if hasattr(columns, "__arrow_c_stream__") and hasattr(columns, "iloc"):
        return arrow.schema_of(columns)
    if hasattr(columns, "schema"):
        return columns.schema() if callable(columns.schema) else columns.schema
    return columns


def _columns(columns: Any, table: str) -> list[Field]:
    try:
        if isinstance(columns, str):
            return list(schema_of_text(columns).fields)
        if isinstance(columns, Mapping) and isinstance(columns.get("fields"), list):
            return columns_of(columns)
        if isinstance(columns, Mapping):
            return [_field(n, k) for n, k in columns.items()]
        if hasattr(columns, "json") and hasattr(columns, "fields"):
            return columns_of(json.loads(columns.json()))
        return [each if isinstance(each, Field) else _field(each[0], each[1]) for each in columns]
    except NotAType as error:
        raise SqlError.of("SS5010", f"table {table}: {error}") from error
    except (TypeError, ValueError, LookupError) as error:
        hint = "write {'id': 'INT NOT NULL', 'name': 'STRING'} or 'id INT NOT NULL, name STRING'"
        raise SqlError.of(
            "SS5010", f"table {table} has no columns that can be read", hint=hint
        ) from error


def _field(name: Any, kind: Any) -> Field:
    if not isinstance(name, str):
        raise NotAType(f"{name!r} is no name of a column: write it as text")
    if isinstance(kind, str) and kind.strip().upper().endswith(" NOT NULL"):
        return Field(name, _type(kind.strip()[: -len(" NOT NULL")]), False)
    return Field(name, _type(kind), True)


def _type(kind: Any) -> SparkType:
    if isinstance(kind, SparkType):
        return kind
    if hasattr(kind, "simpleString"):
        return parse_type(kind.simpleString())
    if isinstance(kind, str):
        return parse_type(kind)
    if hasattr(kind, "id"):
        return arrow.type_of(kind)
    raise NotAType(f"{kind!r} is no type: write its name, such as 'INT'")


def zone_of(schema: Any, given: str | None = None) -> str:
    """The time zone that is given, else that of a session, else UTC. Raises `SqlError` SS5003 for no zone."""
    if given:
        return _checked(given)
    if not hasattr(schema, "conf"):
        return "UTC"
    return str(schema.conf.get("spark.sql.session.timeZone", "UTC"))


def _checked(zone: str) -> str:
    try:
        clocks(str(zone), str(zone))
    except Misused as error:
        hint = "write its name or what it is from UTC: Europe/Berlin, +02:00"
        raise SqlError.of("SS5003", f"{zone!r} is no time zone", hint=hint) from error
    return str(zone)
