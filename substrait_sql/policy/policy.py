"""`Policy`: what plans may do, written by whoever runs them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.errors import PolicyError
from substrait_sql.policy.names import table_pattern
from substrait_sql.policy.places import Roots, Undecided
from substrait_sql.strict_yaml import Strict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

_BOUNDS = ("max_plan_bytes", "max_sql_length")


@dataclass(frozen=True, slots=True)
class Policy:
    """What plans may do. None allows anything; an empty list nothing.

    allow_writes: False refuses statements that change something, whatever else allows them.
    read_tables: the tables that may be read, as patterns of their names part by part: ``sales.*``, ``*.sales.orders``.
    write_tables: those that may be changed.
    file_roots: the folders below which files may be read: ``/data``, ``s3a://lake/sales``.
    formats: of files: ``parquet``, ``orc``, ``csv``, ``arrow``, ``iceberg``, or the name of a data source.
    uri_schemes: of their paths: ``s3a``; ``file`` for a path without one.
    deny_functions: patterns of names that may not be called, in the plan or in its SQL.
    allow_functions: functions of the session that may be called, and by their whole name those that any policy denies
    (``reflect``).
    allow_extensions: patterns of the types of relations and tables that registered code makes the SQL of.
    max_plan_bytes: how long a plan may be.
    max_sql_length: how many characters its SQL may have.

    Any policy denies ``reflect``, ``java_method``, ``try_reflect``, ``from_protobuf``, ``to_protobuf``, functions that
    Spark has not by itself, and extensions, unless they are allowed here. Raises `PolicyError` SS4060 for a policy that
    is not right.

    >>> from substrait_sql import Policy
    >>> Policy(read_tables=["sales.*"], file_roots=["/data"]).read_tables
    ('sales.*',)
    """

    allow_writes: bool | None = None
    read_tables: Sequence[str] | None = None
    write_tables: Sequence[str] | None = None
    file_roots: Sequence[str] | None = None
    formats: Sequence[str] | None = None
    uri_schemes: Sequence[str] | None = None
    deny_functions: Sequence[str] = ()
    allow_functions: Sequence[str] = ()
    allow_extensions: Sequence[str] = ()
    max_plan_bytes: int | None = None
    max_sql_length: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            object.__setattr__(self, field.name, _checked(field.name, value))
        try:
            for pattern in (*(self.read_tables or ()), *(self.write_tables or ())):
                table_pattern(pattern)
            Roots(self.file_roots or ())
        except Undecided as why:
            raise _bad(f"a folder of file_roots is none: {why}") from why
        except ValueError as error:
            raise _bad(str(error)) from error

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Policy:
        """The policy in a YAML file, with these names as keys. Folders without a leading slash are beside that file.

        path: of the file.

        Raises `PolicyError` SS4060.
        """
        file = Path(path)
        try:
            said = yaml.load(file.read_text(encoding="utf-8"), Strict)
        except (OSError, ValueError, yaml.YAMLError) as error:
            reason = " ".join(str(error).split())
            raise _bad(f"{file} cannot be read: {reason}") from error
        if not isinstance(said, dict):
            raise _bad(f"{file} is no mapping of what is allowed")
        names = [f.name for f in fields(cls)]
        for key in said:
            if key not in names:
                close = difflib.get_close_matches(str(key), names, n=1)
                hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(names)}"
                raise PolicyError.of("SS4060", f"there is no {key!r} in a policy", "", hint)
        roots = said.get("file_roots")
        if isinstance(roots, list):
            said["file_roots"] = [_beside(file, root) for root in roots]
        return cls(**said)


def _beside(file: Path, root: Any) -> Any:
    if not isinstance(root, str) or ":" in root or root.startswith("~"):
        return root
    return str(file.resolve().parent / root)


def _checked(name: str, value: Any) -> Any:
    if name == "allow_writes":
        right = value is None or isinstance(value, bool)
    elif name in _BOUNDS:
        right = value is None or (isinstance(value, int) and value >= 0 and value is not True)
    elif value is None:
        return None if name.endswith(("tables", "roots", "formats", "schemes")) else ()
    else:
        right = not isinstance(value, (str, bytes, dict)) and hasattr(value, "__iter__")
        value = tuple(map(_text, value)) if right else value
        right = right and all(isinstance(each, str) and each for each in value)
    if not right:
        kind = {"allow_writes": "true or false"}.get(name, "a list of texts")
        kind = "a number" if name in _BOUNDS else kind
        raise _bad(f"{name} is {value!r}, and must be {kind}")
    return value


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _bad(message: str) -> PolicyError:
    return PolicyError.of("SS4060", message, "", "docs/safety.md says what a policy holds")
