"""The official extension files.

Read only when a plan leaves something out or asks for something unknown.

They come with the ``substrait`` package; https://substrait.io/extensions/ describes them.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LONGEST = 64
_HEADS = {
    "boolean": "bool", "string": "str", "varchar": "vchar", "fixedchar": "fchar",
    "binary": "vbin", "fixedbinary": "fbin", "decimal": "dec", "interval_year": "iyear",
    "interval_day": "iday", "interval_compound": "icompound", "precision_time": "pt",
    "precision_timestamp": "pts", "precision_timestamp_tz": "ptstz",
}  # fmt: skip
_TYPE = re.compile(r"(u!\w+|\w+)\??\s*(?:<(.*)>)?\??$", re.IGNORECASE | re.DOTALL)


def is_stem(stem: str) -> bool:
    """Whether this may become the name of a file: it comes from the plan, and only a short plain word may."""
    return len(stem) <= _LONGEST and stem.replace("_", "").isalnum()


@cache
def extension(stem: str) -> Mapping[str, Any]:
    """An official extension file by its stem; empty if there is none of that name."""
    if not is_stem(stem):
        return {}
    file = resources.files("substrait_extensions") / "extensions" / f"{stem}.yaml"
    found: Mapping[str, Any] = yaml.load(file.read_bytes(), _LOADER) if file.is_file() else {}
    return found


def short(text: str) -> str:
    """The short name of a type as an extension file spells it: ``decimal<P,S>`` is ``dec``."""
    found = _TYPE.match(text.strip())
    head = (found[1] if found else text).lower()
    return "any" if re.fullmatch(r"any\d*", head) else _HEADS.get(head, head)


def signature(impl: Mapping[str, Any]) -> str:
    """The signature of an overload, without the function's name."""
    return "_".join(
        "req" if "options" in a else short(str(a.get("value", "type")))
        for a in impl.get("args", ())
    )


@cache
def impls(stem: str, kind: str, name: str) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """The overloads of a function with their signatures."""
    functions = extension(stem).get(f"{kind}_functions", ())
    return tuple((signature(i), i) for f in functions if f["name"] == name for i in f["impls"])


def defines(stem: str, kind: str, name: str, actual: Sequence[str]) -> bool:
    """Whether the extension file itself has an overload for exactly these arguments."""
    for text, impl in impls(stem, kind, name):
        parts = text.split("_") if text else []
        if "variadic" in impl and actual:
            parts = parts + parts[-1:] * (len(actual) - len(parts))
        if len(parts) == len(actual) and all(
            p in (a, "any") for p, a in zip(parts, actual, strict=True)
        ):
            return True
    return False


def returns(stem: str, kind: str, name: str, impl: str, types: Sequence[Any]) -> Any:
    """The result type that the extension file gives.

    None where it cannot be worked out from these argument types.
    """
    for text, row in impls(stem, kind, name):
        if text == impl:
            return _derive(row, types)
    return None


def _derive(row: Mapping[str, Any], types: Sequence[Any]) -> Any:
    texts = [str(a["value"]) for a in row.get("args", ()) if "value" in a]
    if "variadic" in row and texts:
        texts += texts[-1:] * (len(types) - len(texts))
    if len(texts) != len(types) or any(t is None for t in types):
        return None
    bound: dict[str, Any] = {}
    for text, t in zip(texts, types, strict=True):
        _bind(text, t, bound)
    found = _evaluate(str(row["return"]).strip(), bound)
    if found is None or row.get("nullability", "MIRROR") != "MIRROR":
        return found
    return ty.with_nullability(found, any(ty.nullable(t) for t in types))


def _bind(text: str, t: Any, bound: dict[str, Any]) -> None:
    found = _TYPE.match(text.strip())
    if found is None:
        return
    head, inner = found[1].lower(), found[2]
    if re.fullmatch(r"any\d*", head):
        bound.setdefault(head, t)
    elif head == "list" and ty.kind(t) == "list" and inner:
        _bind(inner, t.list.type, bound)
    elif inner:
        for name, number in zip(inner.split(","), ty.parameters(t), strict=False):
            bound.setdefault(name.strip(), number)


def _evaluate(text: str, bound: Mapping[str, Any]) -> Any:
    named = re.fullmatch(r"u!(\w+)(\??)", text)
    if named:
        return ty.user_defined(named[1], nullable=bool(named[2]))
    plain = re.fullmatch(r"(any\d*)(\??)", text, re.IGNORECASE)
    if plain:
        t = bound.get(plain[1].lower())
        return ty.with_nullability(t, bool(plain[2])) if t is not None else None
    inner = re.fullmatch(r"list(\??)<(any\d*)(\??)>", text, re.IGNORECASE)
    if inner:
        t = bound.get(inner[2].lower())
        return (
            ty.list_(
                ty.with_nullability(t, bool(inner[3]) or ty.nullable(t)), nullable=bool(inner[1])
            )
            if t
            else None
        )
    numbers = tuple(sorted((k, v) for k, v in bound.items() if isinstance(v, int)))
    return _computed(text, numbers)


@cache
def _computed(text: str, numbers: tuple[tuple[str, int], ...]) -> Any:
    from substrait.derivation_expression import evaluate

    try:
        found = evaluate(text, dict(numbers))
        return type(ty.boolean()).FromString(found.SerializeToString())
    except Exception:  # its grammar and its arithmetic raise errors of their own, in many classes
        return None
