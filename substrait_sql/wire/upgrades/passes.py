"""From any release's plan to today's, in one walk.

One function per retired field, in the modules named ``upgrade_*``; here they are put to work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.message import Message

from substrait_sql.wire import detached
from substrait_sql.wire.deep import parse
from substrait_sql.wire.depth import too_deep
from substrait_sql.wire.descriptors import message
from substrait_sql.wire.upgrades import datafusion as upgrade_datafusion
from substrait_sql.wire.upgrades import expressions as upgrade_expressions
from substrait_sql.wire.upgrades import extensions as upgrade_extensions
from substrait_sql.wire.upgrades import isthmus as upgrade_isthmus
from substrait_sql.wire.upgrades import relations as upgrade_relations
from substrait_sql.wire.upgrades import substrait_python as upgrade_substrait_python
from substrait_sql.wire.upgrades import types as upgrade_types
from substrait_sql.wire.upgrades.walk import Context, walk
from substrait_sql.wire.version import minor_of

if TYPE_CHECKING:
    from substrait_sql.errors import Diagnostic

RULES = (
    upgrade_types,
    upgrade_expressions,
    upgrade_relations,
    upgrade_extensions,
    upgrade_datafusion,
    upgrade_isthmus,
    upgrade_substrait_python,
)
"""The modules whose functions the walk calls; importing them declares the functions."""


def upgrade(old: Any, *, enum_messages: bool = False) -> tuple[Message, tuple[Diagnostic, ...]]:
    """Return today's form of a plan of the history classes, which is changed on the way.

    Raises DecodeError for unknown fields, InvalidPlanError for retired fields that say nothing
    possible.
    """
    version = old.version
    if version.major or version.minor or version.patch:
        upgrade_extensions.version_names(version, None, None)  # type: ignore[arg-type]
    context = Context(
        minor_of(old), producer=version.producer.casefold(), enum_messages=enum_messages
    )
    detached.attach(old, context)
    walk(old, context)
    today = message(old.DESCRIPTOR.name)
    try:
        return parse(today, old.SerializeToString()), context.diagnostics
    except ProtobufError:
        raise too_deep() from None
