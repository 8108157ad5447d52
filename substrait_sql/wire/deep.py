"""Parsing of messages that nest deeper than protobuf's 100 levels, within a bound of our own.

upb parses recursively, about 170 bytes of stack a level. Its limit can be lifted only as a whole,
so the nesting is counted first, and the parse then runs in a thread with a stack for it. Protobuf's build in Python,
which pip installs where there is no other one, has the same limit.
"""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf.internal import api_implementation
from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.message import Message

from substrait_sql.wire.depth import MAX_DEPTH, too_deep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_T = TypeVar("_T")
_M = TypeVar("_M", bound=Message)
_STACK = 512 * 1024 * 1024
_FRAMES = 400_000
_MAX_STEPS = 2_000_000
_VARINT, _FIXED64, _BYTES, _GROUP, _END_GROUP, _FIXED32 = range(6)
_THREADS = threading.Lock()
_LIMITS = {"running": 0, "usual": 0, "lifted": 0}


def parse(cls: type[Message], data: bytes) -> Message:
    """``cls.FromString``, for messages up to the bound of depth.

    Raises protobuf's DecodeError for bytes that are no such message, ours where the message is too
    deep.
    """
    try:
        return from_bytes(cls, data)
    except ProtobufError:
        depth = nesting(cls.DESCRIPTOR, data)
        if depth <= 100:
            raise
    if depth > MAX_DEPTH:
        raise too_deep()
    return in_big_stack(lambda: _parse_without_limit(cls, data))


def from_bytes(cls: type[_M], data: bytes) -> _M:
    """``cls.FromString``, whose DecodeError is one of Unicode where protobuf has no compiled part."""
    try:
        return cls.FromString(data)
    except UnicodeDecodeError as error:
        raise ProtobufError(str(error)) from error


def _parse_without_limit(cls: type[Message], data: bytes) -> Message:
    with _lifted():
        return from_bytes(cls, data)


def without_limit(work: Callable[[], _T]) -> _T:
    """Run ``work``, which makes messages of any depth, with a large stack; copying one reads it, too."""
    with _lifted():
        return in_big_stack(work)


@contextmanager
def _lifted() -> Iterator[None]:
    """While protobuf reads messages of any depth. Its limit is the process's, so the last one puts it back."""
    with _THREADS:
        _LIMITS["lifted"] += 1
        _lift(True)
    try:
        yield
    finally:
        with _THREADS:
            _LIMITS["lifted"] -= 1
            if _LIMITS["lifted"] == 0:
                _lift(False)


def _lift(lifted: bool) -> None:
    """Takes the limit of both builds of protobuf away, or puts it back."""
    if api_implementation.Type() == "upb":
        from google._upb import _message

        _message.SetAllowOversizeProtos(lifted)
    else:
        from google.protobuf.internal import decoder

        decoder.SetRecursionLimit(2 * MAX_DEPTH if lifted else decoder.DEFAULT_RECURSION_LIMIT)


def with_room(work: Callable[[], _T]) -> _T:
    """Run ``work`` as it is, and where it nests deeper than Python or protobuf's reader like to with a large stack."""
    try:
        return work()
    except Exception as error:
        if not lacked_room(error):
            raise
    try:
        return in_big_stack(work)
    except ProtobufError:
        # Types of nested values nest twice as deep as the values, and to copy one is to read it.
        return without_limit(work)


def lacked_room(error: BaseException) -> bool:
    """Whether an error is that of a stack which is too small, or came of one, or is protobuf's of too deep a message.

    A library may have made another error of it: sqlglot's tokenizer does.
    """
    if isinstance(error, ProtobufError):
        return True
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, RecursionError):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


def in_big_stack(work: Callable[[], _T]) -> _T:
    """Run ``work`` with a large stack and a high recursion limit; returns or raises as it does."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.extend((True, work()))
        except BaseException as error:  # handed on to the caller
            outcome.extend((False, error))
        finally:
            _restore_limits()

    # Who is interrupted while he waits leaves it behind: it keeps its room, and does not keep the process.
    thread = threading.Thread(target=run, name="substrait-sql-deep", daemon=True)
    _raise_limits(thread)
    thread.join()
    if outcome[0]:
        result: _T = outcome[1]
        return result
    raise outcome[1]


def _raise_limits(thread: threading.Thread) -> None:
    """Start the thread. Stack size and recursion limit are the process's, so both are put back."""
    with _THREADS:
        if _LIMITS["running"] == 0:
            _LIMITS["usual"] = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_LIMITS["usual"], _FRAMES))
        _LIMITS["running"] += 1
        before = threading.stack_size(_STACK)
        try:
            thread.start()
        except RuntimeError:  # the machine has no more threads
            _LIMITS["running"] -= 1
            raise
        finally:
            threading.stack_size(before)


def _restore_limits() -> None:
    with _THREADS:
        _LIMITS["running"] -= 1
        if _LIMITS["running"] == 0:
            sys.setrecursionlimit(_LIMITS["usual"])


def nesting(descriptor: Any, data: bytes) -> int:
    """How deep the messages in ``data`` nest, at most about ``MAX_DEPTH``.

    0 where that cannot be told.

    Looks only into fields that are long enough to matter: a message of n bytes nests n/2 deep at
    most, a group n.
    """
    deepest, steps = 1, 0
    stack = [(descriptor, 0, len(data), 1)]
    while stack:
        kind, start, end, depth = stack.pop()
        deepest = max(deepest, depth)
        if deepest > MAX_DEPTH:
            return deepest
        fields = kind.fields_by_number
        while start < end:
            steps += 1
            if steps > _MAX_STEPS:
                return 0
            tag, start = _varint(data, start, end)
            wire = tag & 7
            if wire == _BYTES:
                length, start = _varint(data, start, end)
                field = fields.get(tag >> 3)
                # An overlong field is cut at the end, as a parser would descend into what there is.
                stop = min(start + length, end)
                if (
                    field is not None
                    and field.message_type is not None
                    and depth + (stop - start) > deepest
                ):
                    stack.append((field.message_type, start, stop, depth + 1))
                start += length
            elif wire == _VARINT:
                _, start = _varint(data, start, end)
            elif wire in (_FIXED64, _FIXED32):
                start += 8 if wire == _FIXED64 else 4
            elif wire == _GROUP:
                # Nothing in Substrait is a group, and unknown ones are parsed recursively, too.
                return MAX_DEPTH + 1 if end - start + depth > MAX_DEPTH else 0
            else:
                break
    return deepest


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    return 0, end
