"""https://substrait.io/extensions/#advanced-extensions: enhancements change the meaning and are never skipped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import refuse
from substrait_sql.wire.fields import is_repeated

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

# What to do about one: it says something of the meaning, and nobody here knows what.
CHANGES = "have its producer leave it out, or say it as an optimization, which changes no rows"
_EXTENSION = "substrait.extensions.AdvancedExtension"
# What has relations of its own, which are looked at in their turn; and hints, which can be ignored with all they hold.
_ELSEWHERE = frozenset(
    {"substrait.Rel", "substrait.Expression", "substrait.Type", "substrait.RelCommon.Hint"}
)


class _Site(NamedTuple):
    """A field that holds an extension, or a message with such fields inside."""

    name: str
    repeated: bool
    inner: tuple[_Site, ...]


def refuse_enhancements(node: Any, path: Path) -> None:
    """Raises SS2012 for an enhancement of a relation: its own, or that of its table or files."""
    sites = _sites(node.DESCRIPTOR)
    # Where it stands takes longer to say than that there is none.
    if _carries(node, sites):
        _refuse(node, sites, path)


def _carries(node: Any, sites: tuple[_Site, ...]) -> bool:
    for site in sites:
        if site.repeated:
            if any(_carries(element, site.inner) for element in getattr(node, site.name)):
                return True
        elif node.HasField(site.name) and (
            _carries(getattr(node, site.name), site.inner)
            if site.inner
            else getattr(node, site.name).HasField("enhancement")
        ):
            return True
    return False


def _refuse(node: Any, sites: tuple[_Site, ...], path: Path) -> None:
    for site in sites:
        if site.repeated:
            for i, element in enumerate(getattr(node, site.name)):
                _refuse(element, site.inner, (path / site.name)[i])
        elif node.HasField(site.name):
            value, at = getattr(node, site.name), path / site.name
            if site.inner:
                _refuse(value, site.inner, at)
            elif value.HasField("enhancement"):
                url = value.enhancement.type_url
                raise refuse(
                    "SS2012",
                    f"the relation carries an enhancement that is not known here: {url}",
                    at,
                    CHANGES,
                )


@cache
def _sites(descriptor: Any, around: tuple[str, ...] = ()) -> tuple[_Site, ...]:
    """Where extensions may stand in a message, read off its descriptor."""
    found = []
    for field in descriptor.fields:
        of = field.message_type
        if of is None or of.full_name in _ELSEWHERE or of.full_name in around:
            continue
        if of.full_name == _EXTENSION:
            found.append(_Site(field.name, False, ()))
        elif inner := _sites(of, (*around, of.full_name)):
            found.append(_Site(field.name, is_repeated(field), inner))
    return tuple(found)
