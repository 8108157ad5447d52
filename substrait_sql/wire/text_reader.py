"""Plans in protobuf's text format, of any release."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from google.protobuf import text_format

from substrait_sql.errors import DecodeError
from substrait_sql.wire.binary import EXTENDED_EXPRESSION, PLAN, Read, as_history, finish
from substrait_sql.wire.deep import in_big_stack
from substrait_sql.wire.depth import too_deep
from substrait_sql.wire.descriptors import Variant, message
from substrait_sql.wire.suggest import about_sql

if TYPE_CHECKING:
    from google.protobuf.message import Message


def read_text(text: str) -> Read:
    """Return the plan in a text-format document.

    Raises DecodeError with line and column where it is none.
    """
    try:
        return _read(text)
    except RecursionError:
        try:
            return in_big_stack(lambda: _read(text))
        except RecursionError:
            raise too_deep() from None


def _read(text: str) -> Read:
    kinds = (EXTENDED_EXPRESSION, PLAN) if "referred_expr" in text else (PLAN, EXTENDED_EXPRESSION)
    first: text_format.ParseError | None = None
    for kind in kinds:
        for variant in (Variant.HISTORY, Variant.OLD_TEXT):
            try:
                found = _parse(text, message(kind.message, variant))
            except text_format.ParseError as error:
                first = first or error
                continue
            old = variant is Variant.OLD_TEXT
            return finish(as_history(found, kind), kind, enum_messages=old)
    where = " ".join(str(first).split())
    raise DecodeError.of(
        "SS1004",
        f"the text is no {kinds[0].message} in protobuf's text format: {where[:300]}",
        hint=about_sql(text[:80])
        or ("the numbers are line and column" if where[:1].isdigit() else ""),
    )


_BARE_TYPE = re.compile(r"\[/([A-Za-z_][\w.]*)\](\s*\{)")


def _parse(text: str, cls: type[Message]) -> Message:
    """Parse; some producers print an extension value's type without the host."""
    pool: Any = cls.DESCRIPTOR.file.pool
    try:
        return text_format.Parse(text, cls(), descriptor_pool=pool)
    except text_format.ParseError:
        hosted = _BARE_TYPE.sub(r"[type.googleapis.com/\1]\2", text)
        if hosted == text:
            raise
        return text_format.Parse(hosted, cls(), descriptor_pool=pool)
