"""How many rows Spark has read and written for a run, as its own listener has counted them."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.run.seen.nodes import bare, is_end
from substrait_sql.run.settings import is_connect
from substrait_sql.run.tables.sources import find_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from substrait_sql.rendered import Rendered, Source
    from substrait_sql.run.tables.sources import Table

_ROWS = "number of output rows"
_WRITES = (
    "Execute ",
    "AppendData",
    "Overwrite",
    "ReplaceData",
    "CreateTableAsSelect",
    "ReplaceTable",
)
_LOCATION = re.compile(r"Location: \w+ ?(?:\(\d+ paths?\))?\[([^\],]*)")
_WIDE = 1_000
_BUSY = 2_000
"""Milliseconds to wait for the listener to have heard of everything."""


@dataclass(frozen=True, slots=True)
class Node:
    """An operator of a plan that Spark has run. rows: those that left it."""

    name: str
    text: str
    rows: int


def last_execution(spark: Any) -> int:
    """The number of the last query so far; -1 if there is none, or nobody can know."""
    if is_connect(spark):
        return -1
    found = _store(spark).executionsList()
    return int(found.apply(found.size() - 1).executionId()) if found.size() else -1


def nodes(spark: Any, tag: str, since: int) -> list[Node]:
    """The operators with rows of all queries after one, whose jobs have a tag. None of a Connect server."""
    if is_connect(spark):
        return []
    context = spark.sparkContext._jsc.sc()
    with suppress(Exception):  # it has more to hear of than there is time for
        context.listenerBus().waitUntilEmpty(_BUSY)
    jobs = {int(job) for job in context.statusTracker().getJobIdsForTag(tag)}
    return [n for execution in _executions(_store(spark), jobs, since) for n in execution]


def _store(spark: Any) -> Any:
    return spark._jsparkSession.sharedState().statusStore()


def _executions(store: Any, jobs: set[int], since: int) -> Iterator[list[Node]]:
    found = store.executionsList()
    for at in reversed(range(found.size())):
        execution = found.apply(at)
        if execution.executionId() <= since:
            return
        own = str(execution.jobs().keys().mkString(","))
        if jobs & {int(job) for job in own.split(",") if job}:
            yield list(_operators(store, execution.executionId()))


def _operators(store: Any, number: int) -> Iterator[Node]:
    values = store.executionMetrics(number)
    graph = store.planGraph(number).allNodes()
    for node in (graph.apply(i) for i in range(graph.size())):
        metrics = node.metrics()
        for metric in (metrics.apply(i) for i in range(metrics.size())):
            if metric.name() != _ROWS:
                continue
            value = values.get(metric.accumulatorId())
            digits = str(value.get()).replace(",", "") if value.isDefined() else ""
            if digits.isdigit():
                yield Node(str(node.name()).strip(), str(node.desc()), int(digits))


def of_frame(frame: Any) -> list[Node]:
    """The operators of a frame that was run by way of an iterator, of which the listener does not hear."""
    if is_connect(frame.sparkSession):
        return []
    return list(_walked(frame._jdf.queryExecution().executedPlan()))


def _walked(plan: Any) -> Iterator[Node]:
    metric = plan.metrics().get("numOutputRows")
    # Nobody knows whether no row came, or nobody asked.
    if metric.isDefined() and not metric.get().isZero():
        text = plan.simpleString(_WIDE)
        yield Node(str(plan.nodeName()).strip(), str(text), int(metric.get().value()))
    kind = str(plan.getClass().getSimpleName())
    if kind == "AdaptiveSparkPlanExec":
        yield from _walked(plan.executedPlan())
    elif kind.endswith("QueryStageExec"):
        yield from _walked(plan.plan())
    for inner in (plan.children(), plan.subqueries()):
        for at in range(inner.size()):
            yield from _walked(inner.apply(at))


def has_reads(found: Sequence[Node]) -> bool:
    """Whether any of the operators reads a table."""
    return any("Scan" in node.name for node in found)


def written(found: Sequence[Node]) -> int | None:
    """The rows of all statements that write; None if there are none."""
    rows = [n.rows for n in found if n.name.startswith(_WRITES)]
    return sum(rows) if rows else None


def reads(
    rendered: Sequence[Rendered], paths: Mapping[str, Table], found: Sequence[Node]
) -> list[dict[str, Any]]:
    """The tables and files of plans, items of one read together, and how many rows were read of each."""
    sources = {s.key: s for each in rendered for s in each.sources}.values()
    groups: dict[object, list[tuple[Source, str]]] = {}
    for source in sources:
        groups.setdefault(source.whole or source.key, []).append((source, _place(source, paths)))
    rows: dict[object, int] = {}
    for node in found:
        if "Scan" not in node.name:
            continue
        of = [key for key, items in groups.items() if any(_is_of(node, *item) for item in items)]
        if len(of) == 1:
            rows[of[0]] = rows.get(of[0], 0) + node.rows
    return [_read(items, rows.get(key)) for key, items in groups.items()]


def _read(items: Sequence[tuple[Source, str]], rows: int | None) -> dict[str, Any]:
    source, place = items[0]
    is_file = source.reader or source.view is not None
    name = place if is_file and place else ".".join(source.names)
    count = {"items": len(items)} if len(items) > 1 else {}
    return {"name": name, **count, "node": source.path, "rows": rows}


def _place(source: Source, paths: Mapping[str, Table]) -> str:
    """Where the files of a table or read are, empty for a table of the catalog."""
    if source.reader or source.view is not None:
        return source.names[-1]
    try:
        given = find_table(source, paths)
    except SubstraitSqlError:
        return ""
    return os.fspath(given) if isinstance(given, (str, os.PathLike)) else ""


def _is_of(node: Node, source: Source, place: str) -> bool:
    if not place:
        name = tuple(part.lower() for part in node.name.split(" ")[-1].split("."))
        return len(name) > 1 and is_end(source, name)
    found = _LOCATION.search(node.text)
    if found is None:
        return False
    where, own = bare(found[1]), bare(place.split("*", 1)[0])
    if where.endswith("..."):
        return own.startswith(where[:-3])
    return where == own or where.startswith(own.rstrip("/") + "/")
