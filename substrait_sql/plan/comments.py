"""What a plan says that decides about no row: who made it, aliases, estimates, optimizations, texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError
from google.protobuf.wrappers_pb2 import StringValue

from substrait_sql.wire.deep import from_bytes
from substrait_sql.wire.inside import placed_parts
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.wire import Decoded

_TEXT = "google.protobuf.StringValue"


def comments_of(decoded: Decoded) -> dict[str, list[str]]:
    """The texts by the path of the relation that they are about; those about the plan under an empty one."""
    plan = decoded.plan
    found = {"": [*_version(decoded), *_optimizations(plan.advanced_extensions)]}
    stack = list(placed_parts(plan, ROOT, ("AdvancedExtension", "Version")))[::-1]
    while stack:
        message, at = stack.pop()
        kind = message.WhichOneof("rel_type") if message.DESCRIPTOR.name == "Rel" else None
        said = list(_relation(getattr(message, kind))) if kind else []
        if kind and said:
            found[str(at / kind)] = said
        stack += list(placed_parts(message, at, ("Literal", "Type", "RelCommon")))[::-1]
    return {path: said for path, said in found.items() if said}


def _version(decoded: Decoded) -> Iterator[str]:
    if decoded.producer:
        version = ".".join(map(str, decoded.version or ()))
        yield f"made by {decoded.producer}" + (f", Substrait {version}" if version else "")
    if decoded.plan.version.git_hash:
        yield f"revision {decoded.plan.version.git_hash}"


def _relation(message: Any) -> Iterator[str]:
    """What a relation says: ``alias c``, ``about 1,500 rows``, a text."""
    fields = message.DESCRIPTOR.fields_by_name
    if "common" in fields:
        hint = message.common.hint
        if hint.alias:
            yield f"alias {hint.alias}"
        if hint.stats.row_count > 0:
            yield f"about {hint.stats.row_count:,.0f} rows"
        if hint.stats.record_size > 0:
            yield f"{hint.stats.record_size:,.0f} bytes a row"
        if hint.output_names:
            yield f"columns {', '.join(hint.output_names)}"
        yield from _optimizations(hint.advanced_extension)
        yield from _optimizations(message.common.advanced_extension)
    if "advanced_extension" in fields:
        yield from _optimizations(message.advanced_extension)


def _optimizations(extension: Any) -> Iterator[str]:
    """Those that are texts as they are, of others their types."""
    for each in extension.optimization:
        if each.type_url.rpartition("/")[2] == _TEXT:
            try:
                yield from_bytes(StringValue, each.value).value
                continue
            except DecodeError:
                pass
        yield f"optimization {each.type_url}"
