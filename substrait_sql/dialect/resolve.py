"""Which line of a dialect a call means.

By extension and signature, then by the types of the actual arguments.

The order and the tolerances: exact signature, then normalised names, then
name and argument types.

A producer's own functions have bare names, or names that an official extension does not have: those lines are for its
plans alone. In a plan of nobody that is known here they are found too, unless two producers mean different things.
"""

from __future__ import annotations

import difflib
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from substrait_sql.dialect.facts import NOTHING, Facts
from substrait_sql.dialect.files import official
from substrait_sql.dialect.line import MAIN, Line
from substrait_sql.errors import UnsupportedError, refuse
from substrait_sql.schema import types as ty
from substrait_sql.schema.functions import FunctionName, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.dialect.custom.folder import OwnFolder
    from substrait_sql.dialect.custom.lines import OwnLine
    from substrait_sql.dialect.load import Folder
    from substrait_sql.dialect.model import Argument, Call

_SHORT: Mapping[Any, str] = ty.SHORT
_INTS = ("i8", "i16", "i32", "i64")
_TEXTS = ("str", "vchar", "fchar")
_BYTES = ("vbin", "fbin")
_NUMBERS = (*_INTS, "fp32", "fp64", "dec")
_ALIKE = (_TEXTS, _BYTES)
_UNSIGNED = ("u!u8", "u!u16", "u!u32", "u!u64")
# Where the lines of a function are looked for: an aggregate may be called over a window, and `first_value` as an
# aggregate.
_KINDS = {
    "scalar": ("scalar",),
    "aggregate": ("aggregate", "window"),
    "window": ("window", "aggregate"),
}
Found = tuple[Line, str]


class Matched(NamedTuple):
    """What a call means: a line, and one of its overloads.

    plain: whether that line, as it is, is all that such a call needs, whatever the values are (see `Dialect.plain`).
    """

    line: Line
    impl: str
    plain: bool


# What may have to be written in another way than it is: nested values, decimals, what is of no type that is known.
_SPECIAL = frozenset(("any", "req", "type", "dec", "struct", "list", "map", "func"))
# How far off a line is, its place among the others, the line, and its overload.
_Ranked = tuple[int, int, Line, str]


def is_own(line: Line) -> TypeGuard[OwnLine]:
    """Whether it is a line of a user's own dialect. What reads those is not imported where there is none."""
    return line.own


def shorts(arguments: Iterable[Argument]) -> tuple[str, ...]:
    """The actual arguments as a signature has them.

    ``req`` for an enum, ``any`` for a type that is not known.
    """
    return tuple(
        [_SHORT[a.kind] if a.kind in _SHORT and a.sql is not None else _short(a) for a in arguments]
    )


def _short(argument: Argument) -> str:
    if argument.enum is not None:
        return "req"
    if argument.sql is None:
        return "type"
    return ty.short(argument.type)


def distance(wanted: str, actual: str) -> int | None:
    """How far an argument is from a parameter.

    0 the very type, more for what Spark converts by itself, None if it does not fit.
    """
    if wanted == actual:
        return 0
    if actual == "any" and wanted in _UNSIGNED:
        # No column of Spark's is unsigned, so that what the catalog knows the type of is not either.
        return None
    if "any" in (wanted, actual):
        # Only values are of any type: the others stand where they are declared.
        return 1 if actual != "func" and not {"req", "type"} & {wanted, actual} else None
    if actual.startswith("u!"):
        # A user-defined type is only ever a NULL of unknown type here (DataFusion); anything else
        # fails later, by name. What has a name is of that type and no other.
        return 2 if actual[2:].isdigit() else None
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
            times = len(actual) - len(parts) + 1
            if not line.variadic.get("min", 0) <= times <= line.variadic.get("max", times):
                continue
            wanted = (parts + parts[-1:] * (times - 1))[: len(actual)]
        else:
            wanted = parts
        if len(wanted) != len(actual):
            continue
        steps = [distance(w, a) for w, a in zip(wanted, actual, strict=True)]
        if None in steps or (line.own and not all(map(_is_alike, wanted, actual))):
            continue
        total = sum(s for s in steps if s)
        if best is None or total < best[0]:
            best = total, impl
    return best


def _is_alike(wanted: str, actual: str) -> bool:
    """Whether a function of the user's own gets what it asks for: nothing is converted for it but texts and bytes."""
    same = wanted == actual or "any" in (wanted, actual)
    return same or any({wanted, actual} <= {*a} for a in _ALIKE)


class Resolver:
    """Finds lines in a chain of dialect folders, and remembers what it found.

    builtins: the engine's own functions. producer: whose plans it is for, empty for those of one that is not known.
    """

    def __init__(
        self, folders: Sequence[Folder | OwnFolder], builtins: Builtins, producer: str = ""
    ) -> None:
        self._folders = folders
        self._builtins = builtins
        self._producer = producer
        self._others = {producer: self}
        self._extensions = {u: e for f in folders for u, e in f.extensions.items()}
        self._cache: dict[tuple[str, FunctionName, tuple[str, ...], str], Matched] = {}
        self._facts: dict[tuple[str, FunctionName], Facts] = {}
        self._texts: dict[FunctionName, bool] = {}

    def of(self, producer: str) -> Resolver:
        """The same for the plans of another producer."""
        if producer not in self._others:
            other = self._others[producer] = Resolver(self._folders, self._builtins, producer)
            other._others = self._others
        return self._others[producer]

    def find(self, kinds: tuple[str, ...], call: Call) -> Matched:
        """The line and overload for a call. Raises SS2210 to SS2213 if there is none."""
        actual = shorts(call.arguments)
        output = ty.short(call.output_type) if "any" in actual else ""
        key = (kinds[0], call.function, actual, output)
        found = self._cache.get(key)
        if found is None:
            line, impl = self._search(kinds, call, actual, output)
            named = any(a.startswith("u!") for a in actual)
            plain = line.all_there_is and not named and _SPECIAL.isdisjoint(actual)
            found = self._cache[key] = Matched(line, impl, plain)
        return found

    def facts(self, kind: str, function: FunctionName) -> Facts:
        """What the lines of a function say of it: all those of one folder, any of the folders."""
        key = (kind, function)
        found = self._facts.get(key)
        if found is None:
            found = self._facts[key] = self._known(kind, function)
        return found

    def takes_texts(self, function: FunctionName) -> bool:
        """Whether a line of the scalar function casts other arguments to texts."""
        if function not in self._texts:
            lines = self._named("scalar", function)
            self._texts[function] = any(x.metadata.get("texts") for x in lines)
        return self._texts[function]

    def _known(self, kind: str, function: FunctionName) -> Facts:
        for each in _KINDS[kind]:
            if lines := self._named(each, function):
                lines = [x for x in lines if not x.refused] or lines
                own = [self._said(each, x) for x in lines if x.own]
                shipped = [x.facts for x in lines if not x.own]
                return reduce(Facts.both, (reduce(Facts.common, x) for x in (own, shipped) if x))
        return NOTHING

    def _named(self, kind: str, function: FunctionName) -> list[Line]:
        lines = self._lines(kind, function)
        return lines or ([] if function.foreign else self._everywhere(kind, function))

    def _lines(self, kind: str, function: FunctionName) -> list[Line]:
        return [x for folder in self._folders for x in folder.lines(kind, function)]

    def _said(self, kind: str, line: Line) -> Facts:
        """The facts of a user's own line. What is known of Spark's function holds for one that is a call of it."""
        name = line.mere.lower() if is_own(line) and line.stem is None else ""
        if self._builtins.kind(name) is None:
            return line.facts
        return line.facts.both(self._shipped.facts(kind, FunctionName(None, None, name)).of_spark)

    @cached_property
    def _shipped(self) -> Resolver:
        shipped = [f for f in self._folders if not f.own]
        return Resolver(shipped, self._builtins)

    def _search(
        self, kinds: tuple[str, ...], call: Call, actual: tuple[str, ...], output: str
    ) -> Found:
        function = call.function
        for kind in kinds:
            lines = self._lines(kind, function)
            if self._builtins.is_absent(function.name):
                lines = [x for x in lines if x.file != MAIN]
            found = self._choose(lines, function, actual, output)
            if found is not None and (function.stem is None or not _converts(found[1], actual)):
                return found
            if function.foreign:
                continue
            # Numbers would be converted. The extension may have an overload for just these that has
            # no line, and means something else; old plans name the wrong file for decimals.
            if function.stem and official.defines(function.stem, kind, function.name, actual):
                why = f"function {function} over ({', '.join(actual)}) has no SQL in this dialect"
                reasons = (f.reason(function.stem, function.name) for f in self._folders)
                raise refuse("SS2210", why, call.path, next(filter(None, reasons), ""))
            everywhere = self._everywhere(kind, function)
            found = self._choose(everywhere, function, actual, output) or found
            if found is not None:
                return found
        raise self._unknown(kinds, call, actual)

    def _everywhere(self, kind: str, function: FunctionName) -> list[Line]:
        found = [x for f in self._folders for x in f.named(kind, function, self._may_mean)]
        if any(x.own and x.stem is None for x in found) and function.name in self._standard_names:
            # A bare name is the standard's, before it is that of a user's own extension.
            return [x for x in found if not x.own or x.stem is not None]
        return found

    def _may_mean(self, producer: str) -> bool:
        return not (self._producer and producer) or producer == self._producer

    @cached_property
    def _standard_names(self) -> frozenset[str]:
        kinds = ("scalar", "aggregate", "window")
        shipped = [f for f in self._folders if not f.own]
        return frozenset(name for folder in shipped for name in folder.names(kinds))

    def _choose(
        self, lines: Sequence[Line], function: FunctionName, actual: tuple[str, ...], output: str
    ) -> Found | None:
        if not lines:
            return None
        declared = normalise(function.signature) if function.signature is not None else None
        ranked: list[_Ranked] = []
        for order, line in enumerate(lines):
            found = fit(line, actual)
            if found is None:
                continue
            far, impl = found
            if line.metadata.get("shadows"):
                # A producer's own meaning of a standard name, where the plan names no extension.
                far = -1 if function.urn is None else far
            elif declared in line.parsed:
                # A declared signature decides where the actual arguments fit others about as well.
                far = 0 if "any" in actual else min(far, 1)
            ranked.append((far, order, line, impl))
        if _disputed([line for *_, line, _ in ranked]):
            # The producer is not known: what is left is the standard's meaning, if there is one.
            ranked = [r for r in ranked if not r[2].producer]
        ranked.sort(key=lambda r: r[:2])
        if "any" in actual and _ambiguous(ranked):
            # Arguments of unknown type: the declared result may still tell integers from floats.
            ranked = [r for r in ranked if any(output in parts for parts in r[2].parsed)]
            if _ambiguous(ranked):
                return None
        if not ranked:
            return None
        return ranked[0][2], ranked[0][3]

    def _unknown(
        self, kinds: tuple[str, ...], call: Call, actual: Sequence[str]
    ) -> UnsupportedError:
        function, kind = call.function, kinds[0]
        if function.foreign:
            return self._foreign(kinds, call, actual)
        names = {n: None for f in self._folders for n in f.names(kinds)}
        theirs = [
            x
            for f in self._folders
            for k in kinds
            for x in f.named(k, function, lambda _: True)
            if x.producer
        ]
        if theirs and not any(self._everywhere(k, function) for k in kinds):
            message = f"there is no SQL for {function} in plans of {self._producer}"
            hint = f"it is known in those of {_whose(theirs)}; what it means in others is not"
            return refuse("SS2213", message, call.path, hint)
        theirs = [x for x in theirs if fit(x, actual)]
        if not self._producer and _disputed(theirs):
            return refuse(
                "SS2215",
                f"{_whose(theirs)} mean different things by the {kind} function {function}",
                call.path,
                "name the producer in the plan's version, or the extension by its URN",
            )
        if function.name in names:
            known = ", ".join(
                sorted({i for x in self._everywhere(kind, function) for i in x.impls})
            )
            message = f"{kind} function {function.name} does not take ({', '.join(actual)})"
            hint = f"it is known over: {known}" if known else ""
            if "any" in actual:
                message = (
                    f"{kind} function {function.name} depends on argument types, not known here"
                )
                hint = "where the plan leaves them to the catalog, run it with its tables"
            return refuse("SS2212", message, call.path, hint)
        close = difflib.get_close_matches(function.name, names, n=3, cutoff=0.7)
        hint = f"did the plan mean {' or '.join(close)}?" if close else ""
        return refuse(
            "SS2213", f"there is no SQL for the {kind} function {function}", call.path, hint
        )

    def _foreign(
        self, kinds: tuple[str, ...], call: Call, actual: Sequence[str]
    ) -> UnsupportedError:
        """A function of an extension that is not Substrait's own: the user's dialect may know a part of it."""
        function, kind = call.function, kinds[0]
        extension = self._extensions.get(function.urn or "")
        if extension is None:
            message = f"function {function.name} belongs to {function.urn}, which is not known here"
            hint = "give a dialect folder with its extension file and lines for it: docs/custom_functions.md"
            return refuse("SS2211", message, call.path, hint)
        known = [(k, i) for k in kinds for i in extension.impls(k, function.name)]
        if not known:
            message = f"{extension.file.label} has no {kind} function {function.name}"
            names = [n for k in kinds for n in extension.functions(k)]
            close = difflib.get_close_matches(function.name, names, n=3, cutoff=0.6)
            hint = f"did the plan mean {' or '.join(close)}?" if close else ""
            return refuse("SS2213", message, call.path, hint)
        lines = [x for folder in self._folders for k in kinds for x in folder.lines(k, function)]
        mapped = {impl for line in lines for impl in line.impls}
        signature = "_".join(actual)
        missing = next(
            (i for _, i in known if i not in mapped and i in (signature, function.signature)), None
        )
        if not lines or missing is not None:
            impl = missing if missing is not None else known[0][1]
            message = f"{function.name}:{impl} of {function.urn} has no line in this dialect"
            line = f"{{source: …, name: {function.name}, supported_impls: [{impl!r}]}}"
            hint = f"add one under supported_{known[0][0]}_functions: {line}"
            return refuse("SS2210", message, call.path, hint)
        message = f"{kind} function {function.name} does not take ({', '.join(actual)})"
        hint = f"it is known over: {', '.join(sorted(mapped))}"
        return refuse("SS2212", message, call.path, hint)


def _converts(impl: str, actual: Sequence[str]) -> bool:
    parts = impl.split("_")
    return "any" not in parts and any(a in _NUMBERS and a not in parts for a in actual)


def _ambiguous(ranked: Sequence[_Ranked]) -> bool:
    """Whether arguments of unknown type leave several mappings that are written differently."""
    return len({line.spelling for far, _, line, _ in ranked if far == ranked[0][0]}) > 1


def _whose(lines: Sequence[Line]) -> str:
    return " and ".join(sorted({line.producer for line in lines}))


def _disputed(lines: Sequence[Line]) -> bool:
    """Whether two producers mean different things by these lines."""
    theirs = [line for line in lines if line.producer]
    return (
        len({line.producer for line in theirs}) > 1 and len({line.spelling for line in theirs}) > 1
    )
