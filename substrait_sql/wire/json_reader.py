"""Plans in JSON, of any release.

The document is brought into a form that protobuf's own reader takes.

The walk knows from the descriptors what may stand where, so an unknown key or enum member is
reported with its place, which protobuf's reader cannot do for retired names.
"""

from __future__ import annotations

import base64
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format

from substrait_sql.errors import DecodeError, Diagnostic, Severity, SubstraitSqlError
from substrait_sql.wire import history
from substrait_sql.wire.binary import EXTENDED_EXPRESSION, PLAN, Kind, Read, as_history, finish
from substrait_sql.wire.deep import in_big_stack
from substrait_sql.wire.depth import MAX_DEPTH, too_deep
from substrait_sql.wire.descriptors import WRAPPERS, Variant, message
from substrait_sql.wire.fields import is_repeated
from substrait_sql.wire.path import Path
from substrait_sql.wire.suggest import closest

if TYPE_CHECKING:
    from google.protobuf.descriptor import FieldDescriptor

_EXTENDED_KEYS = {"referredExpr", "referred_expr", "baseSchema", "base_schema"}
_BARE_TIMESTAMPS = ("precision_timestamp", "precision_timestamp_tz")


def read_json(text: str) -> Read:
    """Return the plan in a JSON document.

    Raises DecodeError with line and column where it is no JSON.
    """
    try:
        document = _load(text)
    except json.JSONDecodeError as error:
        raise DecodeError.of(
            "SS1003",
            f"the JSON is broken: {error.msg} (line {error.lineno}, column {error.colno})",
            hint=_excerpt(text, error.lineno),
        ) from None
    except ValueError:  # all else that the reader raises has a place in the text
        what = "the JSON has a number of thousands of digits"
        raise DecodeError.of("SS1003", what) from None
    except RecursionError:
        raise too_deep() from None
    return read_document(document)


def _load(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        return in_big_stack(lambda: json.loads(text, object_pairs_hook=_object))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; of two equal keys, JSON readers would silently keep the last."""
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(k for k, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise DecodeError.of("SS1003", f"the key {twice!r} is given twice in one object")
    return made


def _excerpt(text: str, line: int) -> str:
    lines = text.splitlines()
    shown = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return f"the line is: {shown[:100]}" if shown else ""


def read_document(document: Any) -> Read:
    """Return the plan in a parsed JSON document, which is left as it is."""
    if not isinstance(document, dict):
        raise DecodeError.of(
            "SS1001",
            f"the JSON is {_kind(document)}, but a plan is an object",
            hint='start with {"relations":',
        )
    kind = EXTENDED_EXPRESSION if _EXTENDED_KEYS & document.keys() else PLAN
    if kind is PLAN and "relations" not in document:
        keys = ", ".join(k[:80] for k in list(document)[:8] if isinstance(k, str))
        raise DecodeError.of(
            "SS1001",
            "the JSON object is no plan: it has neither relations nor referredExpr",
            hint=f"its keys are: {keys}" if keys else "it is empty",
        )
    try:
        return _read(document, kind)
    except RecursionError:
        try:
            return in_big_stack(lambda: _read(document, kind))
        except RecursionError:
            raise too_deep() from None


def _read(document: dict[str, Any], kind: Kind) -> Read:
    cls = message(kind.message, Variant.JSON)
    reader = _Reader()
    prepared = reader.object(document, cls.DESCRIPTOR, Path(), 1)
    try:
        found = json_format.ParseDict(prepared, cls(), max_recursion_depth=MAX_DEPTH + 1)
    except (json_format.ParseError, TypeError, ValueError, OverflowError) as error:
        raise DecodeError.of(
            "SS1003", f"the JSON is no {kind.message}: {_shorten(error)}"
        ) from None
    old = as_history(found, kind)
    read = finish(old, kind)
    return read._replace(diagnostics=(*reader.diagnostics, *read.diagnostics))


def _shorten(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else text[:300] + " …"


class _Reader:
    """One walk over a document."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def object(self, value: dict[Any, Any], kind: Any, path: Path, depth: int) -> dict[str, Any]:
        """Return the object with retired spellings replaced."""
        if depth > MAX_DEPTH:
            raise too_deep()
        if kind.name == "Opaque":
            return self._any(value, path)
        fields = _fields(kind)
        out: dict[str, Any] = {}
        for key, content in value.items():
            if not isinstance(key, str):
                what = f"a key of JSON is a text, not of type {type(key).__name__}"
                raise DecodeError.of("SS1003", what, path)
            field = fields.get(key)
            where = path / key
            if field is None:
                if _says_nothing(kind, key, content):
                    continue
                raise _unknown_key(key, kind, where)
            if content is None or _is_dropped(field, content):
                continue
            if field.name in out:
                raise DecodeError.of(
                    "SS1003", f"{field.name} is given twice, in two spellings", where
                )
            out[field.name] = self._field(field, content, where, depth)
        return out

    def _field(self, field: FieldDescriptor, content: Any, path: Path, depth: int) -> Any:
        if not is_repeated(field):
            return self._value(field, content, path, depth)
        if isinstance(content, dict) and field.name == "optimization":
            content = [content]  # singular before 0.50
        if not isinstance(content, list):
            raise _not(content, "a list", path)
        return [self._value(field, v, path[i], depth) for i, v in enumerate(content)]

    def _value(self, field: FieldDescriptor, content: Any, path: Path, depth: int) -> Any:
        if field.message_type is not None:
            if not isinstance(content, dict):
                if field.name in _BARE_TIMESTAMPS:
                    self._note("SS1103", history.BARE_TIMESTAMP.format(field.name), path)
                    # A bare number from 0.43 to 0.51 (row 24).
                    return {"precision": 6, "value": content}
                raise _not(content, "an object", path)
            return self.object(content, field.message_type, path, depth + 1)
        if field.enum_type is not None:
            _check_enum(field.enum_type, content, path)
        if isinstance(content, dict) and field.name == "enum":
            return str(content.get("specified", ""))  # a message from 0.3 to 0.19 (row 11)
        if isinstance(content, (dict, list)):
            raise _not(content, "a plain value", path)
        return content

    def _any(self, value: dict[str, Any], path: Path) -> dict[str, Any]:
        if "@type" not in value:
            for key in value:
                if key not in ("typeUrl", "type_url", "value"):
                    raise DecodeError.of(
                        "SS1008", f"an extension value has no {key!r}", path / str(key)
                    )
            return value
        url = str(value["@type"])
        content = {k: v for k, v in value.items() if k != "@type"}
        return {
            "typeUrl": url,
            "value": base64.b64encode(self._packed(url, content, path)).decode(),
        }

    def _packed(self, url: str, content: dict[str, Any], path: Path) -> bytes:
        """Return the bytes of an extension value of a type that is known here, or nothing."""
        name = url.rpartition("/")[2]
        try:
            made = message(
                name.removeprefix("substrait.") if name.startswith("substrait.") else name
            )()
            # Types that have a JSON of their own stand under a key.
            plain = content["value"] if name in _OF_THEIR_OWN else content
            json_format.ParseDict(plain, made, max_recursion_depth=MAX_DEPTH)
            return made.SerializeToString()
        except (KeyError, json_format.ParseError, TypeError):
            if content:
                text = f"the content of an extension value of type {url} is not read"
                self._note("SS1104", text, path)
            return b""

    def _note(self, code: str, text: str, path: Path) -> None:
        self.diagnostics.append(Diagnostic(code, text, str(path), severity=Severity.WARNING))


_OF_THEIR_OWN = {"google.protobuf.Struct", *WRAPPERS}
_FIELDS: dict[Any, dict[str, FieldDescriptor]] = {}


def _fields(kind: Any) -> dict[str, FieldDescriptor]:
    """Return the fields by both of their spellings."""
    found = _FIELDS.get(kind)
    if found is None:
        found = {f.json_name: f for f in kind.fields} | {f.name: f for f in kind.fields}
        found.pop("raw_field_3", None)
        found.pop("rawField3", None)
        _FIELDS[kind] = found
    return found


# Fields of Gluten's own that leave the plan's meaning as it is: the types of the output once more, and which columns
# are partitions of files. Columns of other kinds are no columns of the table (row numbers, file names).
_VENDOR_FIELDS = {
    ("RelRoot", "outputSchema"),
    ("NamedStruct", "columnTypes"),
    ("NamedStruct", "partitionColumns"),
}
_TABLE_COLUMNS = {"NORMAL_COL", "PARTITION_COL"}


def _says_nothing(kind: Any, key: object, content: Any) -> bool:
    """Return whether a field that no release has can be passed over."""
    if (kind.name, key) not in _VENDOR_FIELDS:
        return False
    return key != "columnTypes" or (
        isinstance(content, list) and _TABLE_COLUMNS.issuperset(map(str, content))
    )


def _is_dropped(field: FieldDescriptor, content: Any) -> bool:
    """Return whether the field says nothing: a retired format that is not specified."""
    return field.name == "format" and content in (0, "FILE_FORMAT_UNSPECIFIED")


def _check_enum(kind: Any, content: Any, path: Path) -> None:
    if (
        isinstance(content, str)
        # Protobuf fails later on where it was asked for half of a surrogate pair.
        and not (content.isascii() and content in kind.values_by_name)
        and not content.lstrip("-").isdigit()
    ):
        near = closest(content, list(kind.values_by_name))
        raise DecodeError.of("SS1013", f"{content!r} is no member of {kind.name}", path, near)


def _unknown_key(key: str, kind: Any, path: Path) -> SubstraitSqlError:
    name = kind.full_name.removeprefix("substrait.")
    near = closest(key, [f.json_name for f in kind.fields if f.number < 900])
    return DecodeError.of(
        "SS1008", f"unknown field: {name} has no {key!r} in any release", path, near
    )


def _not(content: Any, wanted: str, path: Path) -> SubstraitSqlError:
    return DecodeError.of("SS1003", f"{_kind(content)} stands where {wanted} belongs", path)


def _kind(content: Any) -> str:
    names = {
        dict: "an object",
        list: "an array",
        str: "a string",
        bool: "a boolean",
        type(None): "null",
    }
    return names.get(type(content), "a number")
