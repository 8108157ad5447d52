"""JSON Schema, as much of it as the schemas of Substrait's dialect and extension files use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

At = tuple[str | int, ...]
Problem = tuple[At, str]

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}
_NAMES = {"object": "a mapping", "array": "a list", "string": "a text", "boolean": "true or false"}


def problems(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: At = ()
) -> Iterator[Problem]:
    """Where the value breaks the schema, and how. root: the whole schema, which references point into."""
    if "$ref" in schema:
        yield from problems(value, _target(schema["$ref"], root), root, at)
    wanted = schema.get("type")
    if wanted is not None and not _is(value, wanted):
        yield at, f"this must be {_NAMES.get(wanted, 'a number')}, not {_shown(value)}"
        return
    if "const" in schema and value != schema["const"]:
        yield at, f"this must be {schema['const']}, not {_shown(value)}"
    if "enum" in schema and value not in schema["enum"]:
        yield at, f"{_shown(value)} is not one of {', '.join(map(str, schema['enum']))}"
    if "oneOf" in schema:
        yield from _one_of(value, schema["oneOf"], root, at)
    if isinstance(value, dict):
        yield from _object(value, schema, root, at)
    elif isinstance(value, list):
        yield from _array(value, schema, root, at)
    elif isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield at, f"{value!r} does not look like {schema['pattern']}"
    elif isinstance(value, int | float) and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
    ):
        bounds = f"{schema.get('minimum', 'any')} to {schema.get('maximum', 'any')}"
        yield at, f"this must be a number from {bounds}, not {value}"


def _target(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for key in reference.removeprefix("#/").split("/"):
        found = found[key]
    target: Mapping[str, Any] = found
    return target


def _is(value: Any, wanted: str) -> bool:
    if isinstance(value, bool) and wanted != "boolean":
        return False
    return isinstance(value, _TYPES[wanted])


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:40] + "…"


def _object(
    value: dict[Any, Any], schema: Mapping[str, Any], root: Mapping[str, Any], at: At
) -> Iterator[Problem]:
    known = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    more = schema.get("additionalProperties", True)
    if len(value) < schema.get("minProperties", 0):
        yield at, "there is nothing in this"
    for key in schema.get("required", ()):
        if key not in value:
            yield at, f"the key {key!r} is missing"
    for key, inner in value.items():
        if not isinstance(key, str):
            yield at, f"the key {_shown(key)} is not a text: put it in quotes"
            continue
        fitting = [known[key]] if key in known else []
        fitting += [s for p, s in patterns.items() if re.search(p, key)]
        if not fitting and more is False:
            yield (*at, key), f"the key {key!r} is not known here; known are {', '.join(known)}"
        for each in fitting or ([more] if isinstance(more, dict) else []):
            yield from problems(inner, each, root, (*at, key))


def _array(
    value: list[Any], schema: Mapping[str, Any], root: Mapping[str, Any], at: At
) -> Iterator[Problem]:
    if len(value) < schema.get("minItems", 0):
        yield at, f"this must have at least {schema['minItems']} item"
    if schema.get("uniqueItems") and any(v in value[:i] for i, v in enumerate(value)):
        yield at, "one of these stands here twice"
    for i, item in enumerate(value):
        yield from problems(item, schema.get("items", {}), root, (*at, i))


def _one_of(
    value: Any, forms: list[Mapping[str, Any]], root: Mapping[str, Any], at: At
) -> Iterator[Problem]:
    found = [list(problems(value, form, root, at)) for form in forms]
    fitting = sum(not each for each in found)
    if fitting == 1:
        return
    if fitting:
        yield at, "this can be read in two ways"
        return
    # The form that is meant: the one whose keys are there, judged by what else is wrong.
    yield from min(found, key=lambda each: (_far(each), len(each)))


def _far(found: list[Problem]) -> int:
    """Forms of another type, or with another constant, are not what is meant."""
    return sum(text.startswith("this must be ") or "is not one of" in text for _, text in found)
