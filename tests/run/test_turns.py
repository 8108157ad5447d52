"""Processes that have one session of a Connect server take turns at its settings."""

from __future__ import annotations

import json
import sys
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql import ExecutionError
from substrait_sql.run import turns
from substrait_sql.run.seen.cancel import cancellable
from substrait_sql.run.settings import applied, turn
from substrait_sql.run.turns import Turn
from tests.run.test_cluster import call
from tests.support import one_session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cluster import Server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ZONE = "spark.sql.session.timeZone"


@pytest.fixture
def shared(connect_server: tuple[Server, str]) -> Iterator[tuple[str, Any]]:
    """The name of a session that several have, and the session."""
    name = str(uuid.uuid4())
    spark = one_session.session(connect_server[1], name)
    before = dict(spark.conf.getAll)
    yield name, spark
    left = dict(spark.conf.getAll)
    spark.client.release_session()
    spark.client.close()
    assert {k: v for k, v in left.items() if k not in one_session.OWN} == before


def test_plans_of_two_processes_with_two_threads_each(
    tmp_path: Path, connect_server: tuple[Server, str], shared: tuple[str, Any]
) -> None:
    """All have their rows, and the session what it had."""
    name, spark = shared
    one_session.prepare(spark, tmp_path)
    command = (sys.executable, "-W", "ignore", "-m", "tests.support.one_session")
    given = (*command, connect_server[1], name, tmp_path)
    with ThreadPoolExecutor() as pool:
        ends = list(
            pool.map(lambda who: call(tmp_path, *given, *who, 12), [("one", "two"), ("two", "one")])
        )
    assert [e.returncode for e in ends] == [0, 0], ends[0].stderr[-2000:] + ends[1].stderr[-2000:]
    found = sum((Counter(json.loads(e.stdout)) for e in ends), Counter[str]())
    assert found == {"day right": 8, "overflow right": 8, "frame right": 8}
    assert {key: spark.conf.get(key) for key in one_session.OWN} == one_session.OWN


def test_one_is_in_at_a_time(shared: tuple[str, Any]) -> None:
    inside: list[int] = []

    def take(_: int) -> int:
        own = Turn(shared[1])
        own.take()
        inside.append(1)
        most = len(inside)
        time.sleep(0.001)
        inside.pop()
        own.leave()
        return most

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(take, range(150))) == {1}


def test_one_that_is_alive_is_waited_for(
    shared: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "_BEAT", 0.1)
    monkeypatch.setattr(turns, "_GONE", 0.6)
    spark = shared[1]
    first, after = Turn(spark), []
    first.take()
    waiting = threading.Thread(target=lambda: after.append(_in_turn(spark)))
    waiting.start()
    time.sleep(1.5)
    assert not after
    first.check()
    with (
        pytest.raises(ExecutionError, match="SS4050"),
        cancellable(spark, timeout=0.3, signals=()),
        turn(spark),
    ):
        raise AssertionError("it had its turn")
    first.leave()
    waiting.join(10)
    assert after == [True]


def test_a_number_that_comes_late_is_not_used(
    shared: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may have taken the key away before it was written."""
    monkeypatch.setattr(turns, "_GONE", 0.3)
    spark = shared[1]
    first, late = Turn(spark), Turn(spark)
    first.take()
    states: list[str] = []
    put = spark.conf.set

    def slowly(key: str, value: str) -> None:
        if len(states) == 1:
            time.sleep(0.4)
            first.leave()
        states.append(value)
        put(key, value)

    with monkeypatch.context() as patch:
        patch.setattr(type(spark.conf), "set", lambda _, key, value: slowly(key, value))
        late.take()
    late.leave()
    assert states == ["drawing", "1", "drawing"]


def _in_turn(spark: Any) -> bool:
    own = Turn(spark)
    own.take()
    own.check()
    own.leave()
    return True


@pytest.mark.parametrize("state", ["drawing", "1"])
def test_one_that_is_gone_is_not_waited_for(
    shared: tuple[str, Any], monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """Its settings stay, as it cannot put them back."""
    monkeypatch.setattr(turns, "_GONE", 0.5)
    spark = shared[1]
    spark.conf.set("substrait_sql.turn.0", state)
    spark.conf.set("substrait_sql.alive.0", "1")
    begun = time.monotonic()
    with applied(spark, {ZONE: "UTC"}):
        assert spark.conf.get(ZONE) == "UTC"
    assert 0.5 <= time.monotonic() - begun < 10


def test_one_that_others_took_for_gone_is_refused(
    shared: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    spark = shared[1]

    def disturb() -> None:
        for key in spark.conf.getAll:
            if key.startswith("substrait_sql.turn."):
                spark.conf.unset(key)

    gone_on = "SS4035 another process has gone on"
    with pytest.raises(ExecutionError, match=gone_on), applied(spark, {ZONE: "UTC"}):
        disturb()
    monkeypatch.setattr(turns, "_GONE", 0.0)
    with pytest.raises(ExecutionError, match=gone_on), turn(spark):
        disturb()
