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
_TYPE = re.compile(r"(?:[\w$]+\.)?(u!\w+|\w+)\??\s*(?:<(.*)>)?\??$", re.IGNORECASE | re.DOTALL)


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
    return "_".join(parts(impl))


def parts(impl: Mapping[str, Any]) -> tuple[str, ...]:
    """The arguments of an overload as its signature has them."""
    return tuple(
        "req" if "options" in a else short(str(a.get("value", "type")))
        for a in impl.get("args", ())
    )


@cache
def impls(stem: str, kind: str, name: str) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """The overloads of a function with their signatures."""
    return impls_in(extension(stem), kind, name)


def impls_in(
    extension: Mapping[str, Any], kind: str, name: str
) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """The overloads of a function in an extension file, with their signatures."""
    functions = extension.get(f"{kind}_functions", ())
    return tuple((signature(i), i) for f in functions if f["name"] == name for i in f["impls"])


def defines(stem: str, kind: str, name: str, actual: Sequence[str]) -> bool:
    """Whether the extension file itself has an overload for exactly these arguments."""
    for text, impl in impls(stem, kind, name):
        wanted = text.split("_") if text else []
        if "variadic" in impl and actual:
            wanted = wanted + wanted[-1:] * (len(actual) - len(wanted))
        if len(wanted) == len(actual) and all(
            w in (a, "any") for w, a in zip(wanted, actual, strict=True)
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


def takes_lambdas(stem: str, kind: str, name: str, impl: str, types: Sequence[Any]) -> bool:
    """Whether the functions among the arguments have as many parameters as the overload gives them."""
    row = dict(impls(stem, kind, name)).get(impl, {})
    for text, t in zip(parameters_of(row, len(types)), types, strict=False):
        if ty.kind(t) == "func":
            given = text.partition("<")[2].rpartition("->")[0].strip(" ()")
            if len(split(given)) != len(t.func.parameter_types):
                return False
    return True


def _derive(row: Mapping[str, Any], types: Sequence[Any]) -> Any:
    found = derive(row, types)
    return found[0] if found is not None else None


def parameters_of(row: Mapping[str, Any], count: int) -> list[str]:
    """The types of an overload's value arguments as text, the last one as often as there are arguments for it."""
    texts = [str(a["value"]) for a in row.get("args", ()) if "value" in a]
    if "variadic" in row and texts:
        texts += texts[-1:] * (count - len(texts))
    return texts


def derive(row: Mapping[str, Any], types: Sequence[Any]) -> tuple[Any, tuple[str, ...]] | None:
    """The result type of an overload, None where it cannot be worked out; and what the arguments disagree about.

    None for arguments that do not fit in number, or are of unknown type. The disagreements are the names of type
    parameters (``any1``, ``P``) that stand for two things at once.
    """
    texts = parameters_of(row, len(types))
    if len(texts) != len(types) or any(t is None for t in types):
        return None
    bound: dict[str, Any] = {}
    torn: list[str] = []
    for text, t in zip(texts, types, strict=True):
        _bind(text, t, bound, torn)
    found = evaluate(str(row["return"]).strip(), bound)
    if found is not None and row.get("nullability", "MIRROR") == "MIRROR":
        found = ty.with_nullability(found, any(ty.nullable(t) for t in types))
    return found, tuple(dict.fromkeys(torn))


def _bind(text: str, t: Any, bound: dict[str, Any], torn: list[str]) -> None:
    found = _TYPE.match(text.strip())
    if found is None:
        return
    head, inner = found[1].lower(), found[2]
    if re.fullmatch(r"any\d*", head):
        if head != "any" and not ty.same(bound.get(head, t), t):
            torn.append(head)
        bound.setdefault(head, t)
    elif head in ("list", "map", "struct") and ty.kind(t) == head and inner:
        for part, child in zip(split(inner), ty.children(t), strict=False):
            _bind(part, child, bound, torn)
    elif head == "func":
        # What it takes is what the list holds, and has been bound; its NULLs may be others.
        if inner and ty.kind(t) == "func" and ty.kind(t.func.return_type):
            _bind(inner.rpartition("->")[2], t.func.return_type, bound, torn)
    elif inner:
        for name, number in zip(split(inner), ty.parameters(t), strict=False):
            wanted = int(name) if name.isdigit() else bound.setdefault(name, number)
            if wanted != number:
                torn.append(name)


def split(text: str) -> list[str]:
    """The parts between commas that are inside no brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "<(") - (character in ">)")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [p.strip() for p in parts]


def evaluate(text: str, bound: Mapping[str, Any]) -> Any:
    """The type that a return type expression means, None where that cannot be worked out."""
    found = _TYPE.match(text.strip())
    if found is not None and found[1].lower() in _UNREAD:
        digits = bound.get(found[2] or "", found[2])
        return _unread(found[1].lower(), str(digits), "?" in text)
    if found is None or not re.search(r"u!|\bany\d*\b", text, re.IGNORECASE):
        numbers = tuple(sorted((k, v) for k, v in bound.items() if isinstance(v, int)))
        return _computed(text, numbers)
    head = found[1].lower()
    mark = "?" in text.split("<", maxsplit=1)[0] or text.rstrip().endswith("?")
    if head.startswith("u!"):
        return None if found[2] else ty.user_defined(head[2:], nullable=mark)
    if re.fullmatch(r"any\d*", head):
        t = bound.get(head)
        return ty.with_nullability(t, mark) if t is not None else None
    makers: dict[str, Any] = {"list": ty.list_, "map": ty.map_}
    parts = [_inner(part, bound) for part in split(found[2] or "")]
    if None in parts or head not in (*makers, "struct"):
        return None
    return (
        makers[head](*parts, nullable=mark) if head in makers else ty.struct(parts, nullable=mark)
    )


# Types that the reference library's reader of such expressions does not know.
_UNREAD = {"precision_time": ty.precision_time, "interval_compound": ty.interval_compound}


def _unread(head: str, digits: str, nullable: bool) -> Any:
    return _UNREAD[head](int(digits), nullable=nullable) if digits.isdecimal() else None


def _inner(text: str, bound: Mapping[str, Any]) -> Any:
    """A type inside of another: what ``any1`` stands for keeps its own nullability there."""
    plain = re.fullmatch(r"(any\d*)(\??)", text, re.IGNORECASE)
    if plain is None:
        return evaluate(text, bound)
    t = bound.get(plain[1].lower())
    return None if t is None else ty.with_nullability(t, bool(plain[2]) or ty.nullable(t))


@cache
def _computed(text: str, numbers: tuple[tuple[str, int], ...]) -> Any:
    from substrait.derivation_expression import evaluate

    try:
        found = evaluate(text, dict(numbers))
        return type(ty.boolean()).FromString(found.SerializeToString())
    except RecursionError:
        # There is no room for it here, and there will be, see `pipeline.render`: no result of the text to remember.
        raise
    except Exception:  # its grammar and its arithmetic raise errors of their own, in many classes
        return None
