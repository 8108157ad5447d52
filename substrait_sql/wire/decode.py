"""Any input a user may hold is read into today's plan."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

from substrait_sql.errors import DecodeError, Diagnostic
from substrait_sql.wire.binary import EXTENDED_EXPRESSION, PLAN, Read, read_binary, what_it_is
from substrait_sql.wire.deep import in_big_stack
from substrait_sql.wire.inside import Held
from substrait_sql.wire.suggest import about_sql
from substrait_sql.wire.version import version_of


@dataclass(frozen=True, slots=True)
class Decoded:
    """A plan in today's form.

    plan: an instance of ``descriptors.message("Plan")`` or ``("ExtendedExpression")``, without
    unknown, retired or detached fields. kind: ``plan`` or ``extended_expression``. diagnostics: the
    old meanings that were chosen. producer, version: what the plan says of itself; version is None
    where it does not say. read: what is known of the plan as it was read.
    """

    plan: Any
    kind: str
    diagnostics: tuple[Diagnostic, ...]
    producer: str
    version: tuple[int, int, int] | None
    read: Read | None = None

    def held(self) -> Held:
        """What the plan may hold."""
        # Another plan may have been put in its place since.
        if self.read is None or self.read.plan is not self.plan or self.read.written is None:
            return Held(self.plan.SerializeToString())
        return Held(self.read.written, windows=self.read.windows)


def read(source: object) -> Decoded:
    """Return the plan in ``source``.

    Bytes, JSON, text format, a parsed JSON document, a path, or a message of any bindings.

    Raises DecodeError if it is no plan, InvalidPlanError if a retired field says nothing possible.
    """
    found = _read(source)
    plan = found.plan
    says = plan.version.producer, version_of(plan)
    return Decoded(plan, found.kind.name, found.diagnostics, *says, found)


def _read(source: object) -> Read:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return read_bytes(bytes(source))
    if isinstance(source, str):
        return _read_str(source)
    if isinstance(source, dict):
        from substrait_sql.wire.json_reader import read_document

        return read_document(source)
    if isinstance(source, os.PathLike):
        return _read_file(os.fspath(source))
    if hasattr(source, "SerializeToString") and hasattr(source, "DESCRIPTOR"):
        return _read_message(source)
    raise DecodeError.of(
        "SS1001",
        f"a {type(source).__name__} is no plan",
        hint="give bytes, JSON, text format, a dict, a path, or a Plan message",
    )


def _read_message(source: Any) -> Read:
    if isinstance(source, type):
        raise DecodeError.of("SS1001", f"{source.__name__} is a class of messages, not one of them")
    name = source.DESCRIPTOR.full_name.rpartition(".")[2]
    kinds = {k.message: k for k in (PLAN, EXTENDED_EXPRESSION)}
    if name not in kinds:
        raise DecodeError.of(
            "SS1001",
            f"a {name} message is no plan",
            hint="put the relation into a Plan, or the expression",
        )
    # In a stack of its own: protobuf writes recursively, and has no limit but that of the stack.
    return read_binary(in_big_stack(source.SerializeToString), kinds[name])


def _read_file(name: str | bytes) -> Read:
    try:
        with open(name, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise DecodeError.of("SS1005", f"there is no file {os.fsdecode(name)}") from None
    except IsADirectoryError:
        raise DecodeError.of("SS1005", f"{os.fsdecode(name)} is a directory, not a plan") from None
    except (OSError, ValueError) as error:
        raise DecodeError.of("SS1005", f"{os.fsdecode(name)!r} cannot be read: {error}") from None
    if not data:
        raise DecodeError.of("SS1006", f"the file {os.fsdecode(name)} is empty")
    return read_bytes(data)


_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f]")
_LONGEST_NAME = 4096
_FILE_NAME = re.compile(r"^\S+\.\w{1,12}$")
_TEXT_FORMAT = re.compile(r"\s*(?:#|[a-z_]+\s*[:{<]\s*[^/\\])")


def read_bytes(data: bytes) -> Read:
    """Return the plan in bytes of any encoding.

    A binary plan holds the byte 0x1a, the tag of its relations; JSON and text format hold no
    control characters.
    """
    if name := what_it_is(data):
        raise DecodeError.of("SS1001", f"the input is no plan; it looks like {name}")
    if data.startswith(_UTF16):
        return _read_characters(_decoded(data, "utf-16"))
    content = data.removeprefix(_UTF8_MARK)
    start = content[:64].lstrip()[:1]
    if start in (b"{", b"["):
        # Neither can begin a binary plan: they would be the tags of groups.
        return _read_json(_decoded(content, "utf-8"))
    if not data or _CONTROL.search(content):
        return read_binary(data)
    return _read_characters(_decoded(content, "utf-8"))


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DecodeError.of(
            "SS1003",
            f"the text is no valid {encoding.upper()}: {error.reason} at byte {error.start:,}",
            hint="save the plan as UTF-8",
        ) from None


def _read_str(source: str) -> Read:
    start = source.lstrip("\ufeff \t\r\n")[:1]
    if start == "{" or not start or len(source) > _LONGEST_NAME or "\n" in source:
        return _read_characters(source)
    if _exists(source):
        return _read_file(source)
    if start == "[" or _TEXT_FORMAT.match(source):
        return _read_characters(source)
    if _FILE_NAME.search(source):
        raise DecodeError.of("SS1005", f"there is no file {source[:200]}")
    raise DecodeError.of(
        "SS1005",
        f"{source[:80]!r} is neither a plan nor the name of a file",
        hint=about_sql(source[:80]) or "base64 is not read; decode it and give the bytes",
    )


def _exists(name: str) -> bool:
    try:
        return os.path.exists(name)
    except ValueError:
        return False


def _read_characters(text: str) -> Read:
    stripped = text.lstrip("\ufeff \t\r\n")
    if not stripped:
        raise DecodeError.of(
            "SS1006", "the input is empty", hint="a plan has at least one relation"
        )
    if stripped[0] in "{[":
        return _read_json(text.removeprefix("\ufeff"))
    from substrait_sql.wire.text_reader import read_text

    return read_text(text)


def _read_json(text: str) -> Read:
    from substrait_sql.wire.json_reader import read_json

    return read_json(text)
