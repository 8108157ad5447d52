"""Plans in protobuf's binary form.

Most plans are of a recent release and need no upgrade, and for them nothing but C code runs over
the bytes. Three questions decide that. Is there a field today's classes do not know? Then the size
shrinks when unknown fields are discarded. Is there a field whose meaning depends on the version?
Such fields are removed from the classes of a *probe*, so they show as unknown fields in the same
way. And is the plan shallow? Discarding stops, without a word, 64 messages down, so the message is
wrapped into enough groups that only plans within that depth can be parsed at all; deeper ones take
the long way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.message import Message

from substrait_sql.errors import DecodeError, Diagnostic, SubstraitSqlError
from substrait_sql.wire import history
from substrait_sql.wire.deep import from_bytes, parse
from substrait_sql.wire.descriptors import Variant, message, probe
from substrait_sql.wire.inside import may_hold_window
from substrait_sql.wire.settled import WINDOW_FUNCTION, clear_windows, drop_twins
from substrait_sql.wire.suggest import about_sql
from substrait_sql.wire.version import minor_of

_SHELLS = 38
"""100 levels may nest; 38 shells and 62 levels of plan, two less than discarding reaches."""
_OPEN, _CLOSE = b"\x0b" * _SHELLS, b"\x0c" * _SHELLS


class Kind(NamedTuple):
    """One of the two messages that are read."""

    name: str
    message: str
    tag: bytes
    content: str


PLAN = Kind("plan", "Plan", b"\x12", "relations")
EXTENDED_EXPRESSION = Kind("extended_expression", "ExtendedExpression", b"\x1a", "referred_expr")


class Read(NamedTuple):
    """A message of today and what was found on the way to it."""

    plan: Any
    kind: Kind
    diagnostics: tuple[Diagnostic, ...] = ()
    # The message written out, where that is known, and whether it may hold window functions.
    written: bytes | None = None
    windows: bool = True


def read_binary(data: bytes, kind: Kind | None = None) -> Read:
    """Return the plan or extended expression in ``data``.

    Which of the two is told by the content unless ``kind`` says so.

    Raises SubstraitSqlError for anything else.
    """
    if not data:
        raise DecodeError.of(
            "SS1006", "the input is empty", hint="a plan has at least one relation"
        )
    kinds = (kind,) if kind else (PLAN, EXTENDED_EXPRESSION)
    for candidate in kinds:
        found = _as_it_is(data, candidate)
        if found is not None:
            return found
    errors = []
    for candidate in kinds:
        try:
            return _upgraded(data, candidate)
        except SubstraitSqlError as error:
            errors.append(error)
    raise _more_telling(errors)


def _as_it_is(data: bytes, kind: Kind) -> Read | None:
    """Today's message, if the plan needs no upgrade, else None."""
    try:
        plan: Any = from_bytes(
            message("Shell"), _OPEN + kind.tag + _varint(len(data)) + data + _CLOSE
        )
        for _ in range(_SHELLS):
            plan = plan.shell
        plan = plan.plan if kind is PLAN else plan.extended_expression
        if not _has_content(plan, kind) or _has_tables(plan, kind):
            return None
        minor = minor_of(plan)
        if minor is not None and minor < _walked_before(plan.version.producer):
            return None
        doubtful = _doubtful(minor)
        if _EXPRESSION_ORDINAL in data or _REL_ORDINAL in data:
            doubtful += history.ORDINALS
        return _of_today(plan, kind, data, doubtful, dated=minor is not None)
    except ProtobufError:
        return None


def _walked_before(producer: str) -> int:
    """The first release whose plans of that producer may be taken as they are."""
    named = producer.casefold()
    found = (n for name, n in history.PRODUCERS_WALKED_BEFORE.items() if named.startswith(name))
    return next(found, history.ALWAYS_WALKED_BEFORE)


def _of_today(
    plan: Any, kind: Kind, data: bytes, doubtful: tuple[tuple[str, str], ...], *, dated: bool
) -> Read | None:
    """The plan, None if something has to be upgraded. What it has in two forms it has in one afterwards.

    dated: whether the plan says its release, which a retired field would tell otherwise.
    """
    size = _size_without(doubtful, data, kind)
    if kind is PLAN and dated:
        drop_twins(plan, nested=False)
    # Not the data: a producer that writes defaults or long numbers has more bytes than there need be.
    written: bytes = plan.SerializeToString()
    if len(written) == size:
        return Read(plan, kind, (), written, windows=WINDOW_FUNCTION not in doubtful)
    if kind is not PLAN or not dated:
        return None
    if WINDOW_FUNCTION in doubtful and may_hold_window(data) and _has_windows_of_today(data):
        doubtful = tuple(field for field in doubtful if field != WINDOW_FUNCTION)
        size = _size_without(doubtful, data, kind)
    drop_twins(plan, nested=True)
    written = plan.SerializeToString()
    return Read(plan, kind, (), written) if len(written) == size else None


def _size_without(doubtful: tuple[tuple[str, str], ...], data: bytes, kind: Kind) -> int:
    """The bytes of what can be taken as it is, all but the doubtful and unknown fields."""
    cls = probe(kind.message, doubtful) if doubtful else message(kind.message)
    found: Any = from_bytes(cls, data)
    found.DiscardUnknownFields()
    size: int = found.ByteSize()
    return size


def _has_windows_of_today(data: bytes) -> bool:
    """Whether each window function of a plan means what it would mean in today's release."""
    plan: Any = from_bytes(message(PLAN.message), data)
    clear_windows(plan)
    plan.DiscardUnknownFields()
    return bool(plan.ByteSize() == _size_without((WINDOW_FUNCTION,), data, PLAN))


def _has_tables(plan: Any, kind: Kind) -> bool:
    """Whether the plan has detached subtrees."""
    containers = plan.relations if kind is PLAN else (plan,)
    return any(c.detached_expressions or c.detached_rels for c in containers)


_EXPRESSION_ORDINAL, _REL_ORDINAL = b"\x90\x01", b"\xc8\x01"
"""The tags of ordinals; the same bytes may be a length, so they only cast doubt."""

_DOUBTFUL: dict[int | None, tuple[tuple[str, str], ...]] = {
    None: (*history.READ_IN_TWO_WAYS, *history.UNVERSIONED)
}


def _doubtful(minor: int | None) -> tuple[tuple[str, str], ...]:
    """Return the fields that cannot be taken as they are in a plan of that release."""
    found = _DOUBTFUL.get(minor)
    if found is None:
        found = history.READ_IN_TWO_WAYS
        for release, fields in history.CHANGED_MEANING:
            if minor is not None and minor < release:
                found += fields
        _DOUBTFUL[minor] = found
    return found


def _upgraded(data: bytes, kind: Kind) -> Read:
    try:
        old = parse(message(kind.message, Variant.HISTORY), data)
    except ProtobufError:
        raise DecodeError.of(
            "SS1002",
            f"the {len(data):,} bytes are no {kind.message} message: "
            "they are cut off, damaged, or something else",
            hint=_hint(data),
        ) from None
    return finish(old, kind)


def as_history(found: Message, kind: Kind) -> Message:
    """A message of other classes as one of the history classes."""
    return parse(message(kind.message, Variant.HISTORY), found.SerializeToString())


def finish(old: Message, kind: Kind, *, enum_messages: bool = False) -> Read:
    """Return the upgrade of a message of the history classes."""
    if not _has_content(old, kind):
        raise DecodeError.of(
            "SS1001",
            f"the {kind.message} message has no {kind.content}",
            kind.content,
            "an empty plan means nothing; other data may look like one by chance",
        )
    from substrait_sql.wire.upgrades.passes import upgrade

    plan, diagnostics = upgrade(old, enum_messages=enum_messages)
    return Read(plan, kind, diagnostics)


def _has_content(plan: Any, kind: Kind) -> bool:
    """Whether there is at least one relation or expression."""
    if kind is PLAN:
        return any(r.HasField("rel") or r.HasField("root") for r in plan.relations)
    return any(e.HasField("expression") or e.HasField("measure") for e in plan.referred_expr)


def _more_telling(errors: list[SubstraitSqlError]) -> SubstraitSqlError:
    """Of the two readings' errors, the one of the reading that came further."""
    order = {"SS1002": 0, "SS1001": 1, "SS1008": 2}
    return max(errors, key=lambda e: order.get(e.code, 3))


_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "compressed with gzip: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd: unpack it first"),
    (b"PAR1", "a Parquet file: give the plan, not the table"),
    (b"ARROW1", "an Arrow file"),
    (b"ORC", "an ORC file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a Java class"),
)


def what_it_is(data: bytes) -> str:
    """Return a name for well-known files that are no plans, or nothing."""
    return next((name for magic, name in _MAGIC if data.startswith(magic)), "")


def _hint(data: bytes) -> str:
    return about_sql(data[:80].decode("latin-1")) or f"the first bytes are {data[:8].hex(' ')}"


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
