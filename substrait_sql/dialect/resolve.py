"""Which line of a dialect a call means.

By extension and signature, then by the types of the actual arguments.

The order and the tolerances are those of spec 4.3: exact signature, then normalised names, then
name and argument types.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from substrait_sql.dialect import official
from substrait_sql.dialect.line import Line
from substrait_sql.dialect.load import Folder
from substrait_sql.dialect.model import Argument, Call
from substrait_sql.errors import Diagnostic, UnsupportedError
from substrait_sql.schema import types as ty
from substrait_sql.schema.functions import FunctionName

# What producers write for the short names: long names, Calcite's, the retired classes of spec 4.3.
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

_INTS = ("i8", "i16", "i32", "i64")
_TEXTS = ("str", "vchar", "fchar")
_BYTES = ("vbin", "fbin")
_NUMBERS = (*_INTS, "fp32", "fp64", "dec")
Matched = tuple[Line, str]


def normalise(signature: str) -> tuple[str, ...]:
    """A declared signature in today's short names: ``opt_decimal_any1?`` is ``dec``, ``any``."""
    text = signature.lower()
    for long, short in _JOINED.items():
        text = re.sub(rf"(?<![a-z]){long}(?![a-z])", short, text)
    parts = [p.rstrip("?") for p in re.sub(r"<[^>]*>", "", text).split("_") if p and p != "opt"]
    return tuple("any" if re.fullmatch(r"any\d*|t", p) else _SPELLINGS.get(p, p) for p in parts)


def shorts(arguments: Iterable[Argument]) -> tuple[str, ...]:
    """The actual arguments as a signature has them.

    ``req`` for an enum, ``any`` for a type that is not known.
    """
    return tuple(
        "req" if a.enum is not None else ty.short(a.type) if a.sql is not None else "type"
        for a in arguments
    )


def distance(wanted: str, actual: str) -> int | None:
    """How far an argument is from a parameter.

    0 the very type, more for what Spark converts by itself, None if it does not fit.
    """
    if wanted == actual:
        return 0
    if "any" in (wanted, actual) and "req" not in (wanted, actual):
        return 1
    if actual.startswith("u!"):
        # A user-defined type is only ever a NULL of unknown type here (DataFusion); anything else
        # fails later, by name.
        return 2
    if wanted in _INTS and actual in _INTS:
        return 2
    if (wanted in _TEXTS and actual in _TEXTS) or (wanted in _BYTES and actual in _BYTES):
        return 2
    if (wanted, actual) == ("fp64", "fp32"):
        return 2
    if wanted == "dec" and actual in _INTS:
        return 3
    if wanted in ("fp64", "fp32") and (actual in _INTS or actual in ("dec", "fp64")):
        return 5 if actual == "dec" else 4
    return 4 if (wanted, actual) == ("pts", "date") else None


def fit(line: Line, actual: Sequence[str]) -> tuple[int, str] | None:
    """The overload of a line nearest to the actual arguments, and how far off it is."""
    best: tuple[int, str] | None = None
    for impl, parts in zip(line.impls, line.parsed, strict=True):
        if line.variadic is not None:
            if len(actual) < len(parts) - 1 + line.variadic.get("min", 0):
                continue
            parts = parts + parts[-1:] * (len(actual) - len(parts)) if actual else ()
        if len(parts) != len(actual):
            continue
        steps = [distance(w, a) for w, a in zip(parts, actual, strict=True)]
        if None in steps:
            continue
        total = sum(s for s in steps if s)
        if best is None or total < best[0]:
            best = total, impl
    return best


class Resolver:
    """Finds lines in a chain of dialect folders, and remembers what it found."""

    def __init__(self, folders: Sequence[Folder]) -> None:
        self._folders = folders
        self._cache: dict[tuple[str, FunctionName, tuple[str, ...]], Matched] = {}

    def find(self, kinds: tuple[str, ...], call: Call) -> Matched:
        """The line and overload for a call. Raises SS2210 to SS2213 if there is none."""
        actual = shorts(call.arguments)
        key = (kinds[0], call.function, actual)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._search(kinds, call, actual)
        return found

    def _search(self, kinds: tuple[str, ...], call: Call, actual: tuple[str, ...]) -> Matched:
        function = call.function
        for kind in kinds:
            found = self._choose(self._own(kind, function), function, actual)
            if found is not None and not self._overlooks(kind, function, found[1], actual):
                return found
            if function.foreign:
                continue
            if function.stem and official.defines(function.stem, kind, function.name, actual):
                raise _error(
                    "SS2210",
                    f"function {function} over ({', '.join(actual)}) has no SQL in this dialect",
                    call,
                )
            if found is not None:
                return found
            found = self._choose(list(self._everywhere(kind, function.name)), function, actual)
            if found is not None:
                return found
        raise self._unknown(kinds, call, actual)

    def _overlooks(
        self, kind: str, function: FunctionName, impl: str, actual: tuple[str, ...]
    ) -> bool:
        """Whether numbers would be converted although the extension has an overload for just these,
        one that is not mapped.
        """
        if function.stem is None or not any(
            a in _NUMBERS and a not in impl.split("_") for a in actual
        ):
            return False
        return "any" not in impl and official.defines(function.stem, kind, function.name, actual)

    def _own(self, kind: str, function: FunctionName) -> list[Line]:
        out: list[Line] = []
        for folder in self._folders:
            if function.stem:
                document = folder.extension(function.stem)
                out += document.lines.get((kind, function.name), ()) if document else ()
            elif function.urn:
                out += [x for x in self._everywhere(kind, function.name) if x.urn == function.urn]
        return out

    def _everywhere(self, kind: str, name: str) -> Iterable[Line]:
        for folder in self._folders:
            for document in folder.documents():
                if (document.raw.get("metadata") or {}).get("by_name", True):
                    yield from document.lines.get((kind, name), ())

    def _choose(
        self, lines: Sequence[Line], function: FunctionName, actual: tuple[str, ...]
    ) -> Matched | None:
        if not lines:
            return None
        declared = normalise(function.signature) if function.signature is not None else None
        best: tuple[int, int, Matched] | None = None
        for order, line in enumerate(lines):
            if line.metadata.get("shadows") and function.urn is None:
                order -= 1000
            found = fit(line, actual)
            if found is None:
                continue
            # A declared signature decides between overloads that the actual arguments fit about as
            # well.
            far = found[0] if declared is None or declared not in line.parsed else min(found[0], 1)
            if order < 0:
                far = 0
            if best is None or (far, order) < best[:2]:
                best = far, order, (line, found[1])
        return best[2] if best else None

    def _unknown(
        self, kinds: tuple[str, ...], call: Call, actual: Sequence[str]
    ) -> UnsupportedError:
        function, kind = call.function, kinds[0]
        if function.foreign:
            message = f"function {function.name} belongs to {function.urn}, which this dialect does not know"
            hint = "declare the function under a Substrait extension, or add a line for it to a dialect file"
            return _error("SS2211", message, call, hint)
        names = {
            n: lines
            for f in self._folders
            for d in f.documents()
            for (k, n), lines in d.lines.items()
            if k in kinds
        }
        if function.name in names:
            known = ", ".join(
                sorted({i for x in self._everywhere(kind, function.name) for i in x.impls})
            )
            message = f"{kind} function {function.name} does not take ({', '.join(actual)})"
            return _error("SS2212", message, call, f"it is known over: {known}" if known else "")
        close = difflib.get_close_matches(function.name, names, n=3, cutoff=0.7)
        hint = f"did the plan mean {' or '.join(close)}?" if close else ""
        return _error("SS2213", f"there is no SQL for the {kind} function {function}", call, hint)


def _error(code: str, message: str, call: Call, hint: str = "") -> UnsupportedError:
    return UnsupportedError(Diagnostic(code, message, str(call.path), hint))
