"""Processes that have one Spark Connect session take turns at its settings.

A session's settings are one for all that give its `session_id`, and a server has no lock for them. What it has is
enough for one: a setting is written at once, and all settings are read at once. Each process writes a key of its own
there and reads all; they go in the order of the numbers that they draw, as in Lamport's bakery. Who finds nobody else
need not draw one: those that come after it find it still drawing, and wait.
"""

from __future__ import annotations

import threading
import time
import uuid
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.errors import ExecutionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_TURN: Final = "substrait_sql.turn."
_ALIVE: Final = "substrait_sql.alive."
_DRAWING: Final = "drawing"
_BEAT: Final = 5.0
"""Seconds after which a process says again that it is alive."""
_GONE: Final = 30.0
"""Seconds of silence after which others go on without it."""
_PAUSES: Final = (0.005, 0.05)
"""The first and the longest pause, in seconds, of one that waits."""

ENDED: ContextVar[Callable[[], bool]] = ContextVar("substrait_sql_ended", default=lambda: False)
"""Whether one that waits is to stop, as its time is over."""


class Turn:
    """One process's turn at the settings of a session, from `take` to `leave`."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        name = uuid.uuid4().hex
        self._key, self._alive = _TURN + name, _ALIVE + name
        self._since = time.monotonic()
        self._beats = 0
        self._over = threading.Event()
        self._speaking = threading.Lock()

    def take(self) -> None:
        """Waits until all that came before are done."""
        threading.Thread(target=self._beat, name=self._key, daemon=True).start()
        while not self._wait():
            pass

    def leave(self) -> None:
        """Lets the next one go on."""
        self._over.set()
        # What is said after that would stay in the session for good.
        with self._speaking:
            unset_all(self._spark, [self._key, *([self._alive] if self._beats else [])])

    def check(self) -> None:
        """Raises `ExecutionError` SS4035 if others have gone on without this one. Nobody does in its first seconds."""
        if time.monotonic() - self._since >= _GONE:
            self.check_in(settings_of(self._spark))

    def check_in(self, everything: Mapping[str, str]) -> None:
        """The same, of all settings as they are now."""
        if self._key not in everything:
            raise ExecutionError.of(
                "SS4035",
                "another process has gone on with this session, as this one was silent for too long",
                hint="run it again",
            )

    def _wait(self) -> bool:
        """Whether it is this one's turn now; else others have taken it for gone, and it must begin again."""
        self._since = time.monotonic()
        self._spark.conf.set(self._key, _DRAWING)
        everything = settings_of(self._spark)
        others = _others(everything, self._key)
        if not others:
            return self._key in everything
        number = 1 + max((int(state) for state in others.values() if state != _DRAWING), default=0)
        self._spark.conf.set(self._key, str(number))
        if time.monotonic() - self._since >= _GONE:
            return False  # the key may have been taken away meanwhile, and others not have seen this number
        silent = _Silent()
        pause, longest = _PAUSES
        while True:
            everything = settings_of(self._spark)
            if self._key not in everything:
                return False
            others = _others(everything, self._key)
            if not any(
                state == _DRAWING or (int(state), key) < (number, self._key)
                for key, state in others.items()
            ):
                return True
            for key in silent.among(others, everything):
                unset_all(self._spark, [key, _alive(key)])
            if ENDED.get()():
                raise TimeoutError("another process has the session's settings")
            time.sleep(pause)
            pause = min(2 * pause, longest)

    def _beat(self) -> None:
        while not self._over.wait(_BEAT):
            with self._speaking, suppress(Exception):  # the session may have ended
                if not self._over.is_set():
                    self._beats += 1
                    self._spark.conf.set(self._alive, str(self._beats))


class _Silent:
    """Tells who has said nothing for so long that it must be gone."""

    def __init__(self) -> None:
        self._heard: dict[str, tuple[tuple[str, str | None], float]] = {}
        self._waited, self._last = 0.0, time.monotonic()

    def among(self, others: Mapping[str, str], everything: Mapping[str, str]) -> list[str]:
        now = time.monotonic()
        # While a server answers nobody, nobody can say anything.
        self._waited += min(now - self._last, _BEAT)
        self._last = now
        for key, state in others.items():
            said = state, everything.get(_alive(key))
            if key not in self._heard or self._heard[key][0] != said:
                self._heard[key] = said, self._waited
        return [key for key in others if self._waited - self._heard[key][1] >= _GONE]


def _others(everything: Mapping[str, str], own: str) -> dict[str, str]:
    return {k: v for k, v in everything.items() if k.startswith(_TURN) and k != own}


def _alive(key: str) -> str:
    return _ALIVE + key.removeprefix(_TURN)


def settings_of(spark: Any) -> dict[str, str]:
    """All settings of the session, in one request. `conf.getAll` is none of Spark 3.5's Connect."""
    from pyspark.sql.connect import proto

    asked = proto.ConfigRequest.GetAll()
    found = spark.client.config(proto.ConfigRequest.Operation(get_all=asked))
    return {key: value for key, value in found.pairs if value is not None}


def set_all(spark: Any, settings: Mapping[str, str]) -> None:
    """Sets them in one request, in their order, up to the first that the session does not take."""
    from pyspark.sql.connect import proto

    pairs = [proto.KeyValue(key=key, value=value) for key, value in settings.items()]
    change = proto.ConfigRequest.Set(pairs=pairs)
    spark.client.config(proto.ConfigRequest.Operation(set=change))


def unset_all(spark: Any, keys: Iterable[str]) -> None:
    """Unsets them in one request."""
    from pyspark.sql.connect import proto

    change = proto.ConfigRequest.Unset(keys=list(keys))
    spark.client.config(proto.ConfigRequest.Operation(unset=change))
