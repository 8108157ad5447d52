"""The functions a plan declares: anchors, and the names behind them."""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import InvalidPlanError
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from collections.abc import Iterator

_STANDARD = "extension:io.substrait:"
_YAML = re.compile(r"(?<![^/\\])([^/\\]+)\.ya?ml$", re.IGNORECASE)
# A place rather than a file: nothing, or the folder all the official files are in (DuckDB points
# there).
_FOLDER = re.compile(r"^$|^/+$|(?:^|/)extensions/?$|substrait\.io/?$")


# What producers write for the short names: long names, Calcite's, retired classes.
_SPELLINGS = {
    "string": "str", "decimal": "dec", "boolean": "bool", "binary": "vbin", "varchar": "vchar",
    "fixedchar": "fchar", "timestamp": "pts", "ts": "pts", "tstz": "ptstz", "time": "pt",
    "year": "iyear", "day": "iday", "intervalday": "iday", "intervalyear": "iyear",
    "int": "i32", "float": "fp32", "double": "fp64",
}  # fmt: skip
_JOINED = {
    "precision_timestamp_tz": "ptstz", "precision_timestamp": "pts", "timestamp_tz": "ptstz",
    "interval_day": "iday", "interval_year": "iyear", "fixed_char": "fchar",
    "date_day": "date_iday", "date_year": "date_iyear",
}  # fmt: skip


class _Name(NamedTuple):
    urn: str | None
    stem: str | None
    name: str
    signature: str | None = None


class FunctionName(_Name):
    """What a plan calls a function.

    urn: as declared, None where nothing usable is. stem: the official extension file it means
    (``functions_arithmetic``),
    None for others. name: without the signature. signature: what follows the colon, None for a bare
    name.
    """

    @cached_property
    def foreign(self) -> bool:
        """Whether an extension that is not Substrait's own defines the function."""
        return self.urn is not None and self.stem is None

    @cached_property
    def standard(self) -> str:
        """The name, where it is one of Substrait's own: what is known of those holds for no other function."""
        return "" if self.foreign else self.name

    def __str__(self) -> str:
        head = self.stem or self.urn
        tail = self.name if self.signature is None else f"{self.name}:{self.signature}"
        return f"{head} {tail}" if head else tail


@cache
def stem_of(urn: str) -> str | None:
    """The official extension file a URN or an old URI means.

    ``functions_arithmetic``; None if it is another's.

    URIs end in ``/functions_arithmetic.yaml``, whatever comes before: forks and mirrors
    keep the file's name.
    """
    if urn.startswith(_STANDARD):
        return urn[len(_STANDARD) :]
    found = _YAML.search(urn)
    if found and (found[1].startswith("functions_") or found[1] == "unsigned_integers"):
        return found[1]
    return None


# Plans of one producer declare the same functions over and over.
@lru_cache(maxsize=1024)
def named(urn: str | None, declared: str) -> FunctionName:
    """The name under which a declaration is to be looked up."""
    name, colon, signature = declared.partition(":")
    clean = None if urn is None or _FOLDER.search(urn) else urn
    return FunctionName(
        clean, stem_of(clean) if clean else None, name, signature if colon else None
    )


def normalise(signature: str) -> tuple[str, ...]:
    """A declared signature in today's short names: ``opt_decimal_any1?`` is ``dec``, ``any``."""
    text = signature.lower()
    for long, short in _JOINED.items():
        text = re.sub(rf"(?<![a-z]){long}(?![a-z])", short, text)
    parts = [p.rstrip("?") for p in re.sub(r"<[^>]*>", "", text).split("_") if p and p != "opt"]
    return tuple("any" if re.fullmatch(r"any\d*|t", p) else _SPELLINGS.get(p, p) for p in parts)


class Functions:
    """The function declarations of a plan, by anchor. Anchor 0 is one like any other.

    Reading costs nothing but the table; a name is taken apart when it is first asked for.
    """

    def __init__(self, plan: Any) -> None:
        self._names: dict[int, FunctionName] = {}
        self._plan = plan
        self._declared: dict[int, tuple[int, str]] | None = None
        self._urns: dict[int, str] = {}
        self._own: dict[FunctionName, int] = {}

    def _read(self) -> dict[int, tuple[int, str]]:
        plan = self._plan
        found: dict[int, tuple[int, str]] = {}
        self._urns = _spaces(plan)
        for index, item in enumerate(plan.extensions):
            if item.WhichOneof("mapping_type") != "extension_function":
                continue
            function = item.extension_function
            anchor = function.function_anchor
            value = (_space_of(function), function.name)
            if found.get(anchor, value) != value:
                raise InvalidPlanError.of(
                    "SS2202",
                    f"function anchor {anchor} is declared as {found[anchor][1]} and as {value[1]}",
                    Path(None, "extensions")[index],
                )
            found[anchor] = value
        self._declared = found
        return found

    def __getitem__(self, anchor: int) -> FunctionName:
        return self.get(anchor)

    def get(self, anchor: int, path: object = "") -> FunctionName:
        """The function with this anchor. Raises SS2201 where the plan declares none."""
        name = self._names.get(anchor)
        if name is not None:
            return name
        declared = self._declared if self._declared is not None else self._read()
        if anchor not in declared:
            known = ", ".join(f"{a} {n}" for a, (_, n) in sorted(declared.items())[:8]) or "none"
            raise InvalidPlanError.of(
                "SS2201",
                f"function anchor {anchor} is not declared",
                path,
                f"the plan declares: {known}",
            )
        space, text = declared[anchor]
        name = self._names[anchor] = named(self._urns.get(space), text)
        return name

    def declare(self, stem: str, declared: str) -> int:
        """An anchor for an official function that a rewriting calls: one that the plan does not use."""
        wanted = named(_STANDARD + stem, declared)
        known = self._own.get(wanted)
        if known is not None:
            return known
        declared_too = self._declared if self._declared is not None else self._read()
        anchor = next(
            a for a in range(2**32 - 1, 0, -1) if a not in declared_too and a not in self._names
        )
        self._own[wanted] = anchor
        self._names[anchor] = wanted
        return anchor

    def __iter__(self) -> Iterator[int]:
        return iter(self._declared if self._declared is not None else self._read())


def _spaces(plan: Any) -> dict[int, str]:
    """The declared URNs by anchor.

    Bindings that still know URIs have those under ``extension_uris``.
    """
    found: dict[int, str] = {}
    for uri in getattr(plan, "extension_uris", ()):
        found[uri.extension_uri_anchor] = uri.uri
    for index, urn in enumerate(plan.extension_urns):
        anchor = urn.extension_urn_anchor
        if found.get(anchor, urn.urn) != urn.urn and not getattr(plan, "extension_uris", ()):
            raise InvalidPlanError.of(
                "SS2203",
                f"URN anchor {anchor} is declared both as {found[anchor]} and as {urn.urn}",
                Path(None, "extension_urns")[index],
            )
        found[anchor] = urn.urn
    return found


def _space_of(function: Any) -> int:
    """The anchor of a function's extension.

    One that is declared nowhere means that the plan names none.

    DataFusion writes 4294967295 there.
    """
    found = int(function.extension_urn_reference)
    return found or int(getattr(function, "extension_uri_reference", 0))
