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
from google.protobuf.unknown_fields import UnknownFieldSet

from substrait_sql.errors import DecodeError, Diagnostic, SubstraitSqlError
from substrait_sql.wire import history
from substrait_sql.wire.deep import parse
from substrait_sql.wire.descriptors import Variant, message, probe
from substrait_sql.wire.inside import inputs
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
        plan = _as_it_is(data, candidate)
        if plan is not None:
            return Read(plan, candidate)
    errors = []
    for candidate in kinds:
        try:
            return _upgraded(data, candidate)
        except SubstraitSqlError as error:
            errors.append(error)
    raise _more_telling(errors)


def _as_it_is(data: bytes, kind: Kind) -> Any:
    """Today's message, if the plan needs no upgrade, else None."""
    try:
        plan: Any = message("Shell").FromString(
            _OPEN + kind.tag + _varint(len(data)) + data + _CLOSE
        )
        for _ in range(_SHELLS):
            plan = plan.shell
        plan = plan.plan if kind is PLAN else plan.extended_expression
        if not _has_content(plan, kind) or _has_tables(plan, kind):
            return None
        minor = minor_of(plan)
        if minor is not None and minor < history.ALWAYS_WALKED_BEFORE:
            return None
        doubtful = _doubtful(minor)
        if _EXPRESSION_ORDINAL in data or _REL_ORDINAL in data:
            doubtful += history.ORDINALS
        # Not that of the data: a producer that writes defaults or long numbers has more bytes than there need be.
        whole = plan.ByteSize()
        rest: Any = probe(kind.message, doubtful).FromString(data) if doubtful else plan
        rest.DiscardUnknownFields()
        size = rest.ByteSize()
        if size == whole:
            return plan
        if kind is PLAN:
            kept: Any = plan if doubtful else type(plan).FromString(data)
            _drop_twins(kept)
            if size == kept.ByteSize():
                return plan
        return None
    except ProtobufError:
        return None


def _drop_twins(plan: Any) -> None:
    """Takes out the groupings that are written a second time in the form retired in 0.88.

    DataFusion writes both forms, and the references win. Only the relations
    are walked, so what stands inside subqueries keeps its twin, and that plan is upgraded in full.
    """
    stack = [r.root.input if r.HasField("root") else r.rel for r in plan.relations]
    while stack:
        rel = stack.pop()
        kind = rel.WhichOneof("rel_type")
        if kind is None:
            continue
        node = getattr(rel, kind)
        stack += [each for _, each in inputs(node)]
        if kind == "aggregate":
            for grouping in node.groupings:
                unknown = UnknownFieldSet(grouping)
                if grouping.expression_references and _only_field_one(unknown):
                    grouping.DiscardUnknownFields()


def _only_field_one(unknown: UnknownFieldSet) -> bool:
    return all(unknown[i].field_number == 1 for i in range(len(unknown)))


def _has_tables(plan: Any, kind: Kind) -> bool:
    """Whether the plan has detached subtrees."""
    containers = plan.relations if kind is PLAN else (plan,)
    return any(c.detached_expressions or c.detached_rels for c in containers)


_EXPRESSION_ORDINAL, _REL_ORDINAL = b"\x90\x01", b"\xc8\x01"
"""The tags of ordinals; the same bytes may be a length, so they only cast doubt."""

_DOUBTFUL: dict[int | None, tuple[tuple[str, str], ...]] = {None: history.UNVERSIONED}


def _doubtful(minor: int | None) -> tuple[tuple[str, str], ...]:
    """Return the fields that cannot be taken as they are in a plan of that release."""
    found = _DOUBTFUL.get(minor)
    if found is None:
        found = ()
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
    return f"the first bytes are {data[:8].hex(' ')}"


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
