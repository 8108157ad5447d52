"""What a dbt project has compiled: the texts of its models, and the columns of the tables that they read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.dialect import load
from substrait_sql.errors import SqlError
from substrait_sql.lift.typing.parse import NotAType, parse_type
from substrait_sql.text.target_name import parse_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

    from substrait_sql.dialect.identifiers import Names

    Tables = dict[tuple[str, ...], dict[str, str]]

CATALOG = "catalog.json"


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled project. models: the text of each by its name; schema: the columns of tables, for `to_plan`."""

    models: Mapping[str, str]
    schema: Tables


def read(
    manifest: str | PathLike[str],
    catalog: str | PathLike[str] | None = None,
    dialect: str = "spark",
) -> Compiled:
    """What ``dbt compile`` and ``dbt docs generate`` have left in ``target/``.

    catalog: ``catalog.json``, by default the one beside the manifest. Ephemeral models are part of those that read
    them. Raises `SqlError` SS6107 for files that are not dbt's, and where a model is not compiled.
    """
    path = Path(manifest)
    found = _json(path, "nodes")
    beside = Path(catalog) if catalog is not None else path.with_name(CATALOG)
    known = _json(beside, "nodes") if catalog is not None or beside.exists() else {}
    try:
        texts = dict(sorted(_texts(found, path)))
        tables = _tables(found, known, load(dialect).names)
    except (AttributeError, KeyError, TypeError) as error:
        what = f"{path} is damaged, or none of dbt's files: {type(error).__name__} {error}"
        raise SqlError.of("SS6107", what) from error
    return Compiled(texts, tables)


def _json(path: Path, key: str) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SqlError.of("SS6107", f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise SqlError.of("SS6107", f"{path} is no JSON: {error}") from error
    if not isinstance(found, dict) or not isinstance(found.get(key), dict):
        raise SqlError.of("SS6107", f"{path} is none of dbt's files: it has no {key}")
    return found


def _texts(manifest: dict[str, Any], path: Path) -> Iterator[tuple[str, str]]:
    models = [n for n in manifest["nodes"].values() if _is_model(n)]
    names = [n["name"] for n in models]
    for node in models:
        if node.get("compiled_code") is None:
            raise SqlError.of(
                "SS6107",
                f"the model {node['name']} is not compiled in {path}",
                hint="run `dbt compile`, or `dbt docs generate`, which also tells the types of columns",
            )
        # Two packages may have a model of one name.
        twice = names.count(node["name"]) > 1
        yield (
            f"{node['package_name']}_{node['name']}" if twice else node["name"],
            node["compiled_code"],
        )


def _is_model(node: dict[str, Any]) -> bool:
    kinds = node["resource_type"], node.get("language", "sql")
    return kinds == ("model", "sql") and node["config"].get("materialized") != "ephemeral"


def _tables(manifest: dict[str, Any], catalog: dict[str, Any], names: Names) -> Tables:
    """The columns of what has a name in Spark: as the catalog found them, else as the project declares them."""
    found: Tables = {}
    for kind in ("nodes", "sources"):
        for key, node in manifest.get(kind, {}).items():
            relation = node.get("relation_name")
            if not relation:
                continue
            there = catalog.get(kind, {}).get(key)
            columns = _listed(there, "type") or _listed(node, "data_type")
            if columns:
                found[parse_name(relation, names).parts] = columns
    return found


def _listed(node: dict[str, Any] | None, key: str) -> dict[str, str]:
    """The columns and their types; none where a type is not there or has lost its parts: ``SELECT *`` has them all."""
    columns = node.get("columns", {}).values() if node is not None else ()
    ordered = sorted(columns, key=lambda c: c.get("index", 0))
    types = {str(c["name"]): str(c.get(key) or "") for c in ordered}
    return types if all(map(_is_type, types.values())) else {}


def _is_type(text: str) -> bool:
    try:
        parse_type(text)
    except NotAType:
        return False
    return True
