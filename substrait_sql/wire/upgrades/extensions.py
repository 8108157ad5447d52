"""The head of a plan in retired forms.

Version, extension URIs.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

from substrait_sql.wire import history
from substrait_sql.wire.upgrades.walk import Context, upgrades

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_CORE = "extension:io.substrait:"
_CORE_FILE = re.compile(r"(?:functions_\w+|unknown|extension_types|type_variations)\Z")
_HOMES = ("substrait-io/", "substrait.io/", "/substrait/")


def urn_of(uri: str) -> str:
    """Return the URN of an extension file that was named by its place.

    The core files keep their name: ``/functions_boolean.yaml`` is
    ``extension:io.substrait:functions_boolean``. Anything else, such as another project's file or a
    bare folder, is kept as it is: its functions are then found by name alone.
    """
    folder, _, file = uri.rpartition("/")
    stem, dot, kind = file.rpartition(".")
    if not dot or kind not in ("yaml", "yml") or not _CORE_FILE.match(stem):
        return uri
    foreign = "://" in folder and not any(home in uri for home in _HOMES)
    return uri if foreign or "/apache/arrow/" in uri else _CORE + stem


@upgrades("Version")
def version_names(version: Any, path: Path, context: Context) -> None:
    """In 0.18 the numbers had shorter names."""
    for name in ("major", "minor", "patch"):
        if getattr(version, name):
            setattr(version, f"{name}_number", getattr(version, name))
            version.ClearField(name)


@upgrades("Plan", "ExtendedExpression")
def extension_uris(plan: Any, path: Path, context: Context) -> None:
    """URIs become URNs under the same anchors; of the two, the URN counts (rows 1-6)."""
    anchors = _declare_uris(plan, path, context)
    context.extensions = plan.extensions
    has_urn_zero = any(u.extension_urn_anchor == 0 for u in plan.extension_urns)
    for declaration in plan.extensions:
        kind = declaration.WhichOneof("mapping_type")
        if kind is None:
            continue
        mapping = getattr(declaration, kind)
        if mapping.HasField("extension_uri_reference"):
            old = mapping.extension_uri_reference
            if not mapping.extension_urn_reference and not (
                has_urn_zero and 0 not in anchors.values()
            ):
                mapping.extension_urn_reference = anchors.get(old, old)
            mapping.ClearField("extension_uri_reference")
        elif not has_urn_zero and not mapping.extension_urn_reference and 0 in anchors:
            mapping.extension_urn_reference = anchors[0]
        if kind == "extension_function":
            context.functions[mapping.function_anchor] = mapping.name
            mapping.name = _without_optional(mapping.name)


def _declare_uris(plan: Any, path: Path, context: Context) -> dict[int, int]:
    """Add the URNs that are not there yet; returns the URN anchor for each URI anchor."""
    urns = {u.extension_urn_anchor: u.urn for u in plan.extension_urns}
    anchors: dict[int, int] = {}
    for old in plan.extension_uris:
        urn, anchor = urn_of(old.uri), old.extension_uri_anchor
        if urns.get(anchor, urn) != urn:
            same = [a for a, u in urns.items() if u == urn]
            anchor = same[0] if same else next(i for i in count(1) if i not in urns)
        anchors[old.extension_uri_anchor] = anchor
        if anchor not in urns:
            urns[anchor] = urn
            plan.extension_urns.add(extension_urn_anchor=anchor, urn=urn)
    if plan.extension_uris:
        context.retired(f"{plan.DESCRIPTOR.name}.extension_uris", 85, path / "extension_uris")
        plan.ClearField("extension_uris")
    return anchors


def _without_optional(name: str) -> str:
    """Return the name without what are options since 0.20: ``add:opt_i8`` is ``add:i8``."""
    simple, colon, signature = name.partition(":")
    gone = ("opt", "req") if simple in history.ENUM_OPTIONS else ("opt",)
    return simple + colon + "_".join(part for part in signature.split("_") if part not in gone)
