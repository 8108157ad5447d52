"""The walk over a plan of the history classes.

Each node is upgraded in place, parents before children.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.unknown_fields import UnknownFieldSet

from substrait_sql.errors import DecodeError, Diagnostic, InvalidPlanError, Severity
from substrait_sql.wire import history
from substrait_sql.wire.depth import MAX_DEPTH, too_deep
from substrait_sql.wire.descriptors import message
from substrait_sql.wire.fields import is_repeated
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from google.protobuf.message import Message

_NEVER_RETIRED = 10_000


class Context:
    """What is known of the plan while its nodes are upgraded, and what has been found."""

    def __init__(
        self, minor: int | None, *, producer: str = "", enum_messages: bool = False
    ) -> None:
        self.minor = minor
        # In lower case.
        self.producer = producer
        # Whether enum arguments are known to be messages, whatever the version says.
        self.enum_messages = enum_messages
        self.ceiling = _NEVER_RETIRED
        # The release of the newest field that the plan has, which it is as new as, whatever it says; and where.
        self.floor = 0
        self.newest: tuple[str, Path] = "", Path()
        self.functions: dict[int, str] = {}
        # What the plan declares, to which an upgrade may add.
        self.extensions: Any = None
        self._notes: dict[tuple[str, str], Diagnostic] = {}
        self._late: list[Callable[[], None]] = []

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, each once, at the first node that has it."""
        return tuple(self._notes.values())

    def note(self, code: str, text: str, path: Path, *, warn: bool = False, hint: str = "") -> None:
        """Remembers a finding. The same finding at a second node is not repeated."""
        severity = Severity.WARNING if warn else Severity.INFO
        if (code, text) not in self._notes:
            self._notes[code, text] = Diagnostic(code, text, str(path), hint, severity)

    def retired(self, field: str, gone: int, path: Path) -> None:
        """Says that a retired field was read; it also dates a plan that gives no version."""
        self.ceiling = min(self.ceiling, gone)
        self.note(
            "SS1101", f"{field}, a field removed in 0.{gone}.0, is read in today's form", path
        )

    def before(self, minor: int) -> bool | None:
        """Whether the plan is older than release 0.minor; None where nothing tells.

        A plan without version and without retired fields counts as one of the newest release.
        """
        if self.floor >= minor:
            if self.minor is not None and self.minor < minor:
                field, path = self.newest
                self.note(
                    "SS1102",
                    f"the plan says 0.{self.minor} and has {field}, of 0.{self.floor}: it is read as of that",
                    path,
                )
            return False
        if self.minor is not None:
            return self.minor < minor
        if self.ceiling == _NEVER_RETIRED:
            return False
        return True if self.ceiling <= minor else None

    def producer_before(self, minor: int) -> bool:
        """Whether the plan's producer is older: it is told by what the plan says, whatever the fields."""
        return self.minor is not None and self.minor < minor

    def seen(self, field: str, since: int, path: Path) -> None:
        """Say that a field was there which no older release has."""
        if since > self.floor:
            self.floor, self.newest = since, (field, path)

    def later(self, action: Callable[[], None]) -> None:
        """Run an upgrade that needs the plan's age once all of the plan has been seen."""
        self._late.append(action)

    def finish(self) -> None:
        """Run what was put off."""
        for action in self._late:
            action()
        self._late.clear()


Upgrade = Callable[[Any, Path, Context], None]
UPGRADES: dict[str, list[Upgrade]] = {}


def upgrades(*names: str) -> Callable[[Upgrade], Upgrade]:
    """Declare a function to upgrade messages of these names, given without ``substrait.``."""

    def register(function: Upgrade) -> Upgrade:
        for name in names:
            UPGRADES.setdefault(f"substrait.{name}", []).append(function)
        return function

    return register


def wrong(text: str, path: Path, hint: str = "") -> InvalidPlanError:
    """Return the error for a retired field that says nothing possible."""
    made = InvalidPlanError.of("SS1010", text, path, hint)
    assert isinstance(made, InvalidPlanError)
    return made


class _Shape(NamedTuple):
    """What the walk needs to know of a message type, looked up once."""

    upgrades: tuple[Upgrade, ...]
    children: dict[int, tuple[str, bool, bool]]
    """Name and repetition of the fields that hold messages, and whether those are leaves."""
    today: frozenset[int]
    since: dict[str, int]


_SHAPES: dict[Any, _Shape] = {}


def _shape(descriptor: Any) -> _Shape:
    children = {
        f.number: (f.name, is_repeated(f), _is_leaf(f.message_type))
        for f in descriptor.fields
        if f.message_type is not None
    }
    upgrades_here = tuple(UPGRADES.get(descriptor.full_name, ()))
    since = history.SINCE.get(_name(descriptor), {})
    found = _SHAPES[descriptor] = _Shape(upgrades_here, children, _today(descriptor), since)
    return found


def _name(descriptor: Any) -> str:
    name: str = descriptor.full_name
    return name.removeprefix("substrait.")


def _today(descriptor: Any) -> frozenset[int]:
    try:
        name = descriptor.full_name.removeprefix("substrait.")
        today: Any = message(name).DESCRIPTOR
        return frozenset(f.number for f in today.fields)
    except KeyError:
        return frozenset()


def _is_leaf(descriptor: Any) -> bool:
    """Whether only unknown fields can be wrong with such a message."""
    return (
        descriptor.full_name not in UPGRADES
        and _name(descriptor) not in history.SINCE
        and not any(f.message_type for f in descriptor.fields)
        and {f.number for f in descriptor.fields} <= _today(descriptor)
    )


def walk(root: Message, context: Context) -> None:
    """Upgrade every message below and including ``root``; afterwards only today's fields are set.

    Raises DecodeError for a field that nobody knows, and for a plan that is too deep.
    """
    stack: list[tuple[Message, Path, int]] = [(root, Path(), 1)]
    push = stack.append
    while stack:
        node, path, depth = stack.pop()
        shape = _SHAPES.get(node.DESCRIPTOR) or _shape(node.DESCRIPTOR)
        if shape.since:
            for field, _ in node.ListFields():
                if field.name in shape.since:
                    name = f"{node.DESCRIPTOR.name}.{field.name}"
                    context.seen(name, shape.since[field.name], path)
        for upgrade in shape.upgrades:
            upgrade(node, path, context)
        if unknown := UnknownFieldSet(node):
            raise _unknown(node, unknown[0].field_number, path)
        if depth > MAX_DEPTH:
            raise too_deep()
        depth += 1
        children, today = shape.children, shape.today
        for field, value in node.ListFields():
            number = field.number
            if number not in today:
                name = f"{node.DESCRIPTOR.name}.{field.name}"
                raise wrong(f"{name} cannot stand here", path / field.name)
            child = children.get(number)
            if child is None:
                continue
            if child[2] and not any(map(UnknownFieldSet, value if child[1] else (value,))):
                continue
            if child[1]:
                for i, element in enumerate(value):
                    push((element, Path(path, f"{child[0]}[{i}]"), depth))
            else:
                push((value, Path(path, child[0]), depth))
    context.finish()


def _unknown(node: Message, number: int, path: Path) -> DecodeError:
    name = node.DESCRIPTOR.full_name.removeprefix("substrait.")
    where = f"{name} has no field {number} in any release up to 0.108"
    if number >= history.FIRST_PRIVATE_NUMBER:
        where = f"{name} has a field {number}"
    made = DecodeError.of(
        "SS1008",
        f"unknown field: {where}",
        path,
        "the plan was made by a newer release, or is not a Substrait plan",
    )
    assert isinstance(made, DecodeError)
    return made
