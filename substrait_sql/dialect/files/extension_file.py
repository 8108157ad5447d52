"""A Substrait extension file of the user's own: https://substrait.io/extensions/#simple-extensions."""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.dialect.files import json_schema, official
from substrait_sql.errors import InvalidPlanError
from substrait_sql.schema import naming, type_text
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from substrait_sql.dialect.files.yaml_file import YamlFile
    from substrait_sql.errors import Diagnostic

KINDS = ("scalar", "aggregate", "window")
_URN = re.compile(r"extension:[^:\s]+:[^:\s]+")
_OFFICIAL = "extension:io.substrait:"
# The types of Substrait's own extension files.
_TAKEN = frozenset({"u8", "u16", "u32", "u64", "geometry", "null"})
_NSTRUCT = re.compile(r"nstruct\s*<(.*)>", re.IGNORECASE | re.DOTALL)


@cache
def schema_of(folder: str, name: str) -> Mapping[str, Any]:
    """One of the schemas that Substrait publishes for its files."""
    text = (resources.files("substrait_extensions") / folder / name).read_bytes()
    found: Mapping[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


class ExtensionFile:
    """The functions and types of one extension. stem: the file's name, by which old plans know it."""

    def __init__(self, file: YamlFile, stem: str) -> None:
        self.file = file
        self.stem = stem

    @property
    def urn(self) -> str:
        """The name that plans declare."""
        return str(self.file.raw.get("urn"))

    def impls(self, kind: str, name: str) -> dict[str, Mapping[str, Any]]:
        """The overloads of a function by their signatures."""
        return dict(official.impls_in(self.file.raw, kind, name))

    def functions(self, kind: str) -> list[str]:
        """The names of the functions of this kind."""
        return list(dict.fromkeys(f["name"] for f in self.file.raw.get(f"{kind}_functions", ())))

    @cached_property
    def types(self) -> dict[str, Any]:
        """The structure of each type by its name in lower case; None for a type that says nothing of it."""
        rows = self.file.raw.get("types", ())
        return {row["name"].lower(): _structure(row.get("structure")) for row in rows}

    @cached_property
    def parametrised(self) -> frozenset[str]:
        """The types that have parameters."""
        rows = self.file.raw.get("types", ())
        return frozenset(row["name"].lower() for row in rows if row.get("parameters"))

    def problems(self) -> Iterator[Diagnostic]:
        """What is wrong with the file."""
        raw, bad = self.file.raw, self.file.problem
        schema = schema_of("extensions", "simple_extensions_schema.yaml")
        found = list(json_schema.problems(raw, schema, schema))
        if found:
            yield from (bad("SS2405", message, at) for at, message in found)
            return
        if not _URN.fullmatch(self.urn):
            yield bad("SS2405", f"{self.urn!r} is no URN", ["urn"], "write extension:OWNER:NAME")
        if self.urn.startswith(_OFFICIAL):
            hint = (
                "give yours a URN of its own, extension:OWNER:NAME, and put only what is new in it"
            )
            yield bad("SS2405", "this URN is one of Substrait's own extensions", ["urn"], hint)
        yield from self._type_problems()
        for kind in KINDS:
            yield from self._function_problems(kind)

    def _type_problems(self) -> Iterator[Diagnostic]:
        rows: Sequence[Mapping[str, Any]] = self.file.raw.get("types", ())
        names = [row["name"].lower() for row in rows]
        for i, row in enumerate(rows):
            if names[i] in _TAKEN or names[i] in names[:i]:
                what = f"there is another type {row['name']}"
                yield self.file.problem("SS2405", what, ["types", i, "name"], "name it otherwise")
            try:
                _structure(row.get("structure"))
            except InvalidPlanError as error:
                what = f"this structure cannot be read: {error.diagnostics[0].message}"
                yield self.file.problem("SS2405", what, ["types", i, "structure"])

    def _function_problems(self, kind: str) -> Iterator[Diagnostic]:
        seen: set[tuple[str, str]] = set()
        for i, function in enumerate(self.file.raw.get(f"{kind}_functions", ())):
            for j, impl in enumerate(function["impls"]):
                at: list[str | int] = [f"{kind}_functions", i, "impls", j]
                key = function["name"], official.signature(impl)
                if key in seen:
                    what = f"{':'.join(key)} stands here twice"
                    yield self.file.problem("SS2405", what, at)
                seen.add(key)
                for k, argument in enumerate(impl.get("args", ())):
                    if not isinstance(argument.get("value", ""), str):
                        what = "write the type of an argument as text"
                        yield self.file.problem("SS2405", what, [*at, "args", k, "value"])


def _structure(written: Any) -> Any:
    """A structure as a type: ``{x: fp64}`` and ``NSTRUCT<x: fp64>`` are structs with named fields.

    Raises SS2083 for one that is not written like a type.
    """
    if written is None:
        return None
    found = _NSTRUCT.fullmatch(str(written).strip())
    if found is not None:
        written = dict(_field(part) for part in official.split(found[1]))
    if not isinstance(written, dict):
        return type_text.parse(str(written))
    fields = [_structure(inner) for inner in written.values()]
    return naming.with_names(ty.struct(fields), [str(name) for name in written])


def _field(text: str) -> tuple[str, str]:
    name, colon, type = text.partition(":")
    if not colon:
        raise InvalidPlanError.of("SS2083", f"not a field of a struct: {text!r}")
    return name.strip(), type.strip()
