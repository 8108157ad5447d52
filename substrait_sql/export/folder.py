"""A project's folder: what is ours in it is written again, what is not is never touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.errors import ExecutionError
from substrait_sql.export.project import MADE, as_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def write(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Writes files by their places in a folder, and returns those that have changed.

    Raises `ExecutionError` SS6106 before anything is written where a file is somebody else's, SS4013 where one cannot
    be written.
    """
    changed: dict[Path, bytes] = {}
    for name, text in files.items():
        path = folder / name
        wanted = text.encode()
        try:
            there = path.read_bytes()
        except FileNotFoundError:
            changed[path] = wanted
            continue
        except OSError as error:
            raise _unwritable(path, error) from error
        if there == wanted:
            continue
        if MADE.encode() not in there.partition(b"\n")[0]:
            raise ExecutionError.of(
                "SS6106", f"{path} is not ours to write over", hint="rename it, or the plan"
            )
        changed[path] = wanted
    for path, content in changed.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside = path.with_name(f".{path.name}.new")
            aside.write_bytes(content)
            os.replace(aside, path)
        except OSError as error:
            raise _unwritable(path, error) from error
    return sorted(changed)


def with_known(path: Path, sources: Sequence[dict[str, Any]]) -> str:
    """A file of sources, with those that are in it already: an export adds tables to a project and takes none away."""
    found = {each["name"]: dict(each) for each in _known(path)}
    for each in sources:
        tables = {t["name"]: t for t in found.get(each["name"], {}).get("tables", ())}
        tables |= {t["name"]: t for t in each["tables"]}
        found[each["name"]] = {**each, "tables": [tables[name] for name in sorted(tables)]}
    return as_yaml({"sources": [found[name] for name in sorted(found)]})


def _known(path: Path) -> list[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        found = yaml.safe_load(text) if MADE in text.partition("\n")[0] else None
        return list(found["sources"]) if found else []
    except (yaml.YAMLError, TypeError, KeyError) as error:
        raise ExecutionError.of(
            "SS6107", f"{path} cannot be read any more: {error}", hint="delete it"
        ) from error


def _unwritable(path: Path, error: OSError) -> ExecutionError:
    return ExecutionError.of("SS4013", f"cannot write {str(path)!r}: {error.strerror or error}")
