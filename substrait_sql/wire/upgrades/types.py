"""Types and literals in retired forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.unknown_fields import UnknownFieldSet

from substrait_sql.wire import history
from substrait_sql.wire.upgrades import datafusion as upgrade_datafusion
from substrait_sql.wire.upgrades.walk import Context, upgrades

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_MICROSECONDS = 6
_REQUIRED = 2
_GONE = {"timestamp": 88, "timestamp_tz": 88, "time": 88, "user_defined_type_reference": 95}
_SUCCESSOR = {
    "timestamp": "precision_timestamp",
    "timestamp_tz": "precision_timestamp_tz",
    "time": "precision_time",
}
_RETYPED_LITERALS = {34: "precision_timestamp", 35: "precision_timestamp_tz"}


@upgrades("Type")
def type_without_precision(type_: Any, path: Path, context: Context) -> None:
    """``timestamp``, ``timestamp_tz`` and ``time`` counted microseconds (rows 27-29)."""
    kind = type_.WhichOneof("kind")
    if kind not in _SUCCESSOR:
        return
    context.retired(f"Type.{kind}", _GONE[kind], path)
    old = getattr(type_, kind)
    variation, nullability = old.type_variation_reference, old.nullability
    new = getattr(type_, _SUCCESSOR[kind])
    new.nullability = nullability
    if _says_its_unit(kind, context):
        new.precision = upgrade_datafusion.digits_of(variation, path)
    else:
        new.precision = _MICROSECONDS
        new.type_variation_reference = variation


def _says_its_unit(kind: str, context: Context) -> bool:
    """Whether the variation is the unit, as in `upgrade_datafusion`."""
    return kind != "time" and context.producer.startswith(upgrade_datafusion.NAME)


@upgrades("Type")
def user_defined_type_reference(type_: Any, path: Path, context: Context) -> None:
    """Upgrade: a bare anchor, which was a required type without variation (row 30)."""
    if type_.WhichOneof("kind") != "user_defined_type_reference":
        return
    context.retired("Type.user_defined_type_reference", 95, path)
    anchor = type_.user_defined_type_reference
    type_.user_defined.type_reference = anchor
    type_.user_defined.nullability = _REQUIRED


@upgrades("Type.IntervalDay")
def interval_day_precision(type_: Any, path: Path, context: Context) -> None:
    """Upgrade: an absent precision was 6 until 0.97, and is an error since (row 31)."""
    if type_.HasField("precision"):
        return

    def decide() -> None:
        if context.before(97) is not False:
            type_.precision = _MICROSECONDS
            context.note("SS1102", "interval_day without precision means 6 before 0.97.0", path)

    context.later(decide)


@upgrades("Expression.Literal")
def literal_without_precision(literal: Any, path: Path, context: Context) -> None:
    """``timestamp``, ``timestamp_tz`` and ``time`` held microseconds (rows 21-23)."""
    kind = literal.WhichOneof("literal_type")
    if kind not in _SUCCESSOR:
        return
    context.retired(f"Literal.{kind}", _GONE[kind], path)
    value = getattr(literal, kind)
    new = getattr(literal, _SUCCESSOR[kind])
    new.value = value
    if _says_its_unit(kind, context):
        new.precision = upgrade_datafusion.digits_of(literal.type_variation_reference, path)
        literal.type_variation_reference = 0
    else:
        new.precision = _MICROSECONDS


@upgrades("Expression.Literal")
def literal_of_bare_number(literal: Any, path: Path, context: Context) -> None:
    """From 0.43 to 0.51 a precision timestamp was a bare number (rows 24, 25).

    The number counts microseconds unless the type expected at this place has a precision above 6;
    the literal itself does not say, so the reading is noted.
    """
    if literal.WhichOneof("literal_type") is not None:
        return
    found = UnknownFieldSet(literal)
    varint = 0
    if (
        len(found) != 1
        or found[0].wire_type != varint
        or found[0].field_number not in _RETYPED_LITERALS
    ):
        return
    name, value = _RETYPED_LITERALS[found[0].field_number], int(found[0].data)
    context.retired(f"Literal.{name} as a bare number", 52, path)
    context.note("SS1103", history.BARE_TIMESTAMP.format(name), path, warn=True)
    # The literal holds nothing else below it, so nothing else is discarded.
    literal.DiscardUnknownFields()
    new = getattr(literal, name)
    new.precision = _MICROSECONDS
    new.value = value - 2**64 if value >= 2**63 else value


@upgrades("Expression.Literal.IntervalDayToSecond")
def interval_day_literal(interval: Any, path: Path, context: Context) -> None:
    """``microseconds`` became ``precision`` and ``subseconds``.

    With none of them the unit was 10^-6 (row 26).
    """
    if interval.HasField("microseconds"):
        context.retired("IntervalDayToSecond.microseconds", 98, path)
        if not interval.HasField("precision"):
            interval.precision = _MICROSECONDS
            interval.subseconds = interval.microseconds
        interval.ClearField("microseconds")
    if interval.HasField("precision"):
        return

    def decide() -> None:
        if context.before(98) is not False:
            interval.precision = _MICROSECONDS
            context.note(
                "SS1102", "an interval literal without precision has 6 before 0.98.0", path
            )

    context.later(decide)


@upgrades("Expression.Literal.UserDefined")
def user_defined_literal(literal: Any, path: Path, context: Context) -> None:
    """Upgrade: an anchor of zero left no trace before it was a choice of two fields (row 32)."""
    if literal.WhichOneof("type_anchor_type") is None:
        literal.type_reference = 0
