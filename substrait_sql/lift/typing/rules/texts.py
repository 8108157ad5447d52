"""Functions of texts, and of JSON, CSV, XML and variants, whose types a text says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, recast
from substrait_sql.lift.typing.casts import can_cast, implicit
from substrait_sql.lift.typing.json_types import schema_of_text
from substrait_sql.lift.typing.parse import NotAType, parse_type
from substrait_sql.lift.typing.types import SparkType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Given = tuple[Argument, ...]
    Found = tuple[tuple[SparkType, ...], SparkType, bool]


def _text(argument: Argument) -> str:
    """The value of a constant text."""
    if not argument.constant or not isinstance(argument.value, str):
        raise Misused("a constant text is expected")
    return argument.value


def _format(argument: Argument) -> str:
    """A constant as text: 0 is a format as well as '0'."""
    if not argument.constant or argument.value is None or t.is_nested(argument.type):
        raise Misused("a constant text is expected")
    return str(argument.value)


def _elt(arguments: Given) -> Found:
    first, *rest = arguments
    place = implicit(first.type, t.INT)
    binary = all(a.type.kind == "binary" for a in rest)
    to = t.BINARY if binary else t.STRING
    if place is None or any(implicit(a.type, to) is None for a in rest):
        raise Misused("elt takes an int and texts or binaries")
    return (place, *(to for _ in rest)), to, True


def options(argument: Argument) -> None:
    """Options come as a map of constant texts."""
    if not argument.constant:
        raise Misused("options are a map of constants")
    if argument.type.kind != "map" or any(
        p.kind not in ("string", "void") for p in argument.type.parts
    ):
        raise Misused(f"options are a map of texts, not {argument.type}")


def _from_text(*, structs: bool = True, csv: bool = False) -> Callable[[Given], Found]:
    """from_json, from_csv and from_xml: what comes is NULL where it cannot be read, of CSV its columns are."""

    def rule(arguments: Given) -> Found:
        first, schema, *rest = arguments
        for each in rest:
            options(each)
        if first.type.kind not in ("string", "void"):
            raise Misused(f"a text is expected, not {first.type}")
        try:
            kind = schema_of_text(_text(schema))
        except NotAType as error:
            raise Misused(f"no schema: {error}") from error
        wanted = ("struct", "variant") if structs else ("struct", "array", "map", "variant")
        if kind.kind not in wanted:
            raise Misused(f"the schema of a {' or '.join(wanted)} is expected, not {kind}")
        types = (t.STRING, t.STRING, *(a.type for a in rest))
        return types, t.all_nullable(kind), first.nullable or not csv

    return rule


def _to_text(*kinds: str) -> Callable[[Given], Found]:
    """to_json, to_csv, to_xml."""

    def rule(arguments: Given) -> Found:
        first, *rest = arguments
        for each in rest:
            options(each)
        if first.type.kind not in (*kinds, "void"):
            raise Misused(f"{' or '.join(kinds)} is expected, not {first.type}")
        return tuple(a.type for a in arguments), t.STRING, True

    return rule


def _schema_of(arguments: Given) -> Found:
    first, *rest = arguments
    for each in rest:
        options(each)
    if first.type != t.STRING or not first.constant:
        raise Misused("a constant text is expected")
    return tuple(a.type for a in arguments), t.STRING, False


# A sign in front or behind, separators between digits, and none of them behind the point.
_NUMBER_FORMAT = re.compile(
    r"(?:(S|MI)(?!.*\1\Z))?\$?(?:[09]+(?:[,G][09]+)*)?(?:[.D][09]*)?(?:S|MI|PR)?"
)


def _to_number(arguments: Given) -> Found:
    """A decimal with as many digits as the format has."""
    form = _format(arguments[1]).upper()
    front, _, behind = form.replace("D", ".").partition(".")
    digits = [len(re.findall(r"[09]", part)) for part in (front, behind)]
    if not sum(digits) or _NUMBER_FORMAT.fullmatch(form) is None:
        raise Misused(f"{arguments[1].value} is no format of a number")
    first = implicit(arguments[0].type, t.STRING)
    if first is None:
        raise Misused(f"a text is expected, not {arguments[0].type}")
    out = t.decimal(sum(digits), digits[1])
    return (first, t.STRING), out, recast(arguments[0], first).nullable


def _try_to_number(arguments: Given) -> Found:
    types, out, _ = _to_number(arguments)
    return types, out, True


def _to_char(arguments: Given) -> Found:
    """A number, a point in time or a binary by a format."""
    first, form = arguments
    if first.type.kind in ("date", "time", "timestamp", "timestamp_ntz"):
        to = t.TIMESTAMP if first.type.kind == "date" else first.type
        second = implicit(form.type, t.STRING)
        if second is None:
            raise Misused(f"a format is a text, not {form.type}")
        return (to, second), t.STRING, recast(first, to).nullable or form.nullable
    if first.type.kind == "binary":
        if _text(form).lower() not in ("base64", "hex", "utf-8"):
            raise Misused("a binary becomes text as base64, hex or utf-8")
        return (first.type, t.STRING), t.STRING, first.nullable
    found = implicit(first.type, "any_decimal")
    if found is None:
        raise Misused(f"a number is expected, not {first.type}")
    _to_number((Argument(t.STRING, nullable=False), form))
    return (found, t.STRING), t.STRING, recast(first, found).nullable


def _variant_get(arguments: Given) -> Found:
    first, path, *rest = arguments
    if first.type.kind not in ("variant", "void") or path.type.kind not in ("string", "void"):
        raise Misused(f"a variant and a path are expected, not {first.type} and {path.type}")
    if not rest:
        return (t.VARIANT, t.STRING), t.VARIANT, True
    try:
        kind = parse_type(_text(rest[0]))
    except NotAType as error:
        raise Misused(str(error)) from error
    if not can_cast(t.VARIANT, kind):
        raise Misused(f"a variant holds no {kind}")
    return (t.VARIANT, t.STRING, t.STRING), t.all_nullable(kind), True


def _into_variant(arguments: Sequence[Argument]) -> str:
    """What is wrong with the value that is put into a variant."""
    kind = arguments[2].type
    return "" if can_cast(kind, t.VARIANT) else f"takes no {kind} into a variant"


def _odd_keys(kind: SparkType) -> bool:
    """Whether there is a map whose keys are no texts."""
    inside = (*kind.parts, *(f.type for f in kind.fields))
    return (kind.kind == "map" and kind.parts[0] != t.STRING) or any(map(_odd_keys, inside))


def _variant_object(arguments: Given) -> Found:
    kind = arguments[0].type
    if not t.is_nested(kind) or _odd_keys(kind):
        raise Misused(f"an array, a map or a struct is expected, not {kind}")
    return (kind,), t.VARIANT, arguments[0].nullable


def _escape(arguments: Sequence[Argument]) -> str:
    """What is wrong with the escape character of LIKE."""
    if len(arguments) < 3:
        return ""
    value = arguments[2].value
    return (
        ""
        if isinstance(value, str) and len(value) == 1
        else "needs one constant character as ESCAPE"
    )


def _places(arguments: Sequence[Argument]) -> str:
    """What is wrong with the format of format_string."""
    form = arguments[0].value
    return "counts its arguments from %1$" if isinstance(form, str) and "%0$" in form else ""


def _pad(arguments: Given) -> Found:
    """Lpad and rpad: of two binaries a binary, else of texts."""
    first, length, *rest = arguments
    count = implicit(length.type, t.INT)
    binary = first.type == t.BINARY and all(a.type == t.BINARY for a in rest)
    to = t.BINARY if binary else t.STRING
    if count is None or any(implicit(a.type, to) is None for a in (first, *rest)):
        raise Misused("a text, an int and a text are expected")
    types = (to, count, *(to for _ in rest))
    nullable = any(recast(a, kind).nullable for a, kind in zip(arguments, types, strict=True))
    return types, to, nullable


def _single_characters(arguments: Sequence[Argument]) -> str:
    """What is wrong with the characters of mask."""
    bad = [a for a in arguments[1:] if isinstance(a.value, str) and len(a.value) != 1]
    return "takes single characters" if bad else ""


def _unbinary(arguments: Sequence[Argument]) -> bool:
    """to_binary says of texts in base64 alone that all of them are some."""
    base64 = len(arguments) > 1 and str(arguments[1].value).lower() == "base64"
    return not base64 or any(a.nullable for a in arguments)


def _located(arguments: Sequence[Argument]) -> SparkType:
    """The place's system of coordinates is part of the type, if it is a constant."""
    kind = "geometry" if arguments[0].type == t.BINARY else arguments[0].type.kind
    if len(arguments) == 1:
        return SparkType(kind, (0,))
    value = arguments[1].value
    if isinstance(value, int) and value not in (0, 3857, 4326):
        raise Misused(f"{value} is no system of coordinates that we know of")
    return SparkType(kind, (value,) if isinstance(value, int) else ())


def _same_first_two(arguments: Sequence[Argument]) -> str:
    same = arguments[0].type == arguments[1].type
    return "" if same else "takes two texts or two binaries"


def _asserted(arguments: Given) -> tuple[SparkType, ...]:
    """assert_true: a condition, and a message of whatever becomes text."""
    found = [implicit(a.type, t.STRING) for a in arguments[1:]]
    if arguments[0].type.kind not in ("boolean", "void") or None in found:
        raise Misused(f"a condition is expected, not {arguments[0].type}")
    return (t.BOOLEAN, *(t.STRING for _ in found))


def _earth(arguments: Given) -> tuple[SparkType, ...]:
    first, *rest = arguments
    if first.type.kind not in ("geometry", "geography", "void"):
        raise Misused(f"a geometry is expected, not {first.type}")
    return (first.type, *(a.type for a in rest))


def _cast(to: SparkType) -> Callable[[Given], Found]:
    def rule(arguments: Given) -> Found:
        if not can_cast(arguments[0].type, to):
            raise Misused(f"{arguments[0].type} cannot be cast to {to}")
        return (arguments[0].type,), to, recast(arguments[0], to).nullable

    return rule


_CASTS = ("boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "date", "time",
          "timestamp", "binary", "string")  # fmt: skip
RULES = {
    "elt": _elt, "pad": _pad, "from_json": _from_text(structs=False),
    "from_csv": _from_text(csv=True), "from_xml": _from_text(),
    "to_json": _to_text("struct", "array", "map", "variant"), "to_csv": _to_text("struct"),
    "to_xml": _to_text("struct", "variant"), "schema_of": _schema_of, "to_number": _to_number,
    "try_to_number": _try_to_number, "to_char": _to_char, "variant_get": _variant_get,
    "to_variant_object": _variant_object, **{f"cast_{name}": _cast(parse_type(name)) for name in _CASTS},
}  # fmt: skip
COERCIONS = {"earth": _earth, "asserted": _asserted}
NULLABLE = {"unbinary": _unbinary}
RETURNS = {"located": _located}
CHECKS = {
    "single_characters": _single_characters,
    "same_first_two": _same_first_two,
    "escape": _escape,
    "places": _places,
    "into_variant": _into_variant,
}
