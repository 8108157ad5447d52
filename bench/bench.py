"""How fast rendering is, and how fast what it renders runs.

    make bench                          all parts
    make bench BENCH="--only render"    one of: render, lift, start, run, size, growth, unnested

render  plan bytes to SQL text, beside sqlglot parsing and printing that text once, and beside DataFusion's unparser
        with sqlglot to Spark's SQL, interleaved; TPC-H and TPC-DS, with plain sqlglot and with its compiled build
lift    SQL text to a plan, beside sqlglot parsing and qualifying that text; and while a text doubles in length
start   the time of a command in a process of its own, beside `import sqlglot`, both from compiled bytecode
run     Spark's time for our SQL over the hand-written text, TPC-H and TPC-DS, alternating, warm, one session
unnested  the same for plans that Spark cannot run correlated, over the SQL that a person would write instead
size    time per relation while plans double in size: flat means linear
growth  time and peak memory of large plans of several kinds, each in a process of its own
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

import growth
import rendering
import running
import sqlglot
import unnested
from suites import suites

import substrait_sql
from tests.support import tpch
from tests.support.build import R, add, count, eq, gt, lit, plan, set_, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def show(title: str, header: Iterable[str], lines: Iterable[Iterable[object]]) -> None:
    """Print a table whose columns are as wide as they need to be."""
    progress("")
    cells = [list(header), *([str(c) for c in line] for line in lines)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    print(f"\n{title}")
    for line in cells:
        print("  " + "  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)), flush=True)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# --- rendering ------------------------------------------------------------------------------------


def bench_render(repeat: int) -> None:
    for suite in suites():
        plain = rendering.rendered(suite, repeat, progress)
        show_rendered(f"{suite.name}, plain sqlglot {sqlglot.__version__}", plain)
        if rendering.COMPILED.exists():
            progress(f"render {suite.name} compiled")
            show_rendered(
                f"{suite.name}, sqlglot[c] on both sides", rendering.compiled(plain, repeat)
            )


def show_rendered(title: str, timed: list[rendering.Timed]) -> None:
    lines: list[list[object]] = []
    for each in timed:
        peer = "-" if each.peer is None else f"{each.ours / each.peer:.2f}"
        lines.append(
            [each.name, len(each.plan), len(each.text), f"{each.ours:.2f}", f"{each.sqlglot:.2f}",
             f"{each.ours / each.sqlglot:.2f}", peer]
        )  # fmt: skip
    middle = statistics.median
    peers = [each.ours / each.peer for each in timed if each.peer is not None]
    lines.append(
        ["median", "", "", f"{middle(e.ours for e in timed):.2f}", f"{middle(e.sqlglot for e in timed):.2f}",
         f"{middle(e.ours / e.sqlglot for e in timed):.2f}", f"{middle(peers):.2f}"]
    )  # fmt: skip
    show(
        f"plan bytes to SQL text, over sqlglot's parse and print of that text ({title})",
        ["query", "plan bytes", "SQL chars", "ours ms", "sqlglot ms", "ratio", "to the peer"], lines,
    )  # fmt: skip


# --- lifting --------------------------------------------------------------------------------------


def bench_lift(repeat: int, largest: int) -> None:
    suite = suites()[0]
    timed = rendering.lifted(suite, repeat, progress)
    lines: list[list[object]] = [
        [name, length, f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.2f}"]
        for name, length, ours, theirs in timed
    ]
    lines.append(
        ["median", "", f"{statistics.median(t[2] for t in timed):.1f}", f"{statistics.median(t[3] for t in timed):.1f}",
         f"{statistics.median(t[2] / t[3] for t in timed):.2f}"]
    )  # fmt: skip
    show(
        "SQL text to a plan, over sqlglot's parse and qualify of that text (TPC-H)",
        ["query", "SQL chars", "ours ms", "sqlglot ms", "ratio"], lines,
    )  # fmt: skip
    grown = rendering.lifted_by_length(suite, largest)
    show(
        "time per character while a text doubles in length",
        ["SQL chars", "ms", "µs per character"],
        [[length, f"{ms:.0f}", f"{ms / length * 1e3:.2f}"] for length, ms in grown],
    )


# --- starting -------------------------------------------------------------------------------------


def bench_start(repeat: int) -> None:
    plan = str(substrait_sql.demo.PLAN)
    own = ["-m", "substrait_sql"]
    cases = {
        "import sqlglot": ["-c", "import sqlglot"],
        "render": [*own, "render", plan],
        "check": [*own, "check", plan],
        "--help": [*own, "--help"],
        "--version": [*own, "--version"],
    }
    spent: dict[str, list[float]] = {name: [] for name in cases}
    with tempfile.TemporaryDirectory() as folder:
        # As it is where both are installed: without bytecode our modules would be compiled each time.
        env = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(repeat + 1):
            for name, arguments in cases.items():
                command = [sys.executable, *arguments]
                spent[name].append(
                    seconds(lambda c=command: subprocess.run(c, check=True, stdout=subprocess.DEVNULL, env=env))  # type: ignore[misc]
                )  # fmt: skip
    medians = {name: statistics.median(times[1:]) for name, times in spent.items()}
    lines = [
        [name, f"{s * 1e3:.0f}", f"{s / medians['import sqlglot']:.2f}"]
        for name, s in medians.items()
    ]
    show("a process of its own, over one that imports sqlglot", ["", "ms", "ratio"], lines)


# --- running --------------------------------------------------------------------------------------


def bench_run(scale: float, repeat: int, limit: float, wanted: list[str]) -> None:
    """The queries of both suites, as DataFusion plans them. wanted: their names, such as h17 and ds6; all if none."""
    for suite in suites(scale):
        names = [n for n in suite.queries if not wanted or f"{suite.short}{n[1:]}" in wanted]
        if not names:
            continue
        # A name in double quotes would be a text to Spark.
        cases = (
            (
                name,
                substrait_sql.to_sql(tpch.datafusion_plan(suite.context, sql)),
                sql.replace('"', "`"),
            )
            for name, sql in ((name, suite.queries[name]) for name in names)
        )
        ran = running.ran(cases, suite.files, repeat, limit, progress)
        show_ran(f"{suite.name}, scale {scale:g}", ran, repeat)


def bench_unnested(scale: float, repeat: int, limit: float) -> None:
    """Plans that Spark cannot run correlated."""
    cases = ((name, substrait_sql.to_sql(made), sql) for name, made, sql in unnested.CASES)
    ran = running.ran(cases, tpch.tables(scale), repeat, limit, progress)
    show_ran(f"unnested, scale {scale:g}", ran, repeat)


def show_ran(what: str, found: Iterable[running.Ran], repeat: int) -> None:
    """Print each pair when it has run: all of them take a while."""
    print(f"\nSpark's time for our SQL over the text by hand ({what}, median of {repeat})")
    line = "  {:>8}  {:>8}  {:>10}  {:>5}  {:>9}  {}"
    print(line.format("query", "ours ms", "by hand ms", "ratio", "processor", "rows"), flush=True)

    def print_one(each: running.Ran) -> None:
        progress("")
        times = f"{each.ours.clock * 1e3:.0f}", f"{each.theirs.clock * 1e3:.0f}"
        ratios = (f"{a / b:.2f}" if b else "-" for a, b in zip(each.ours, each.theirs, strict=True))
        print(line.format(each.name, *times, *ratios, each.rows), flush=True)

    total = running.Ran("total", running.Spent(), running.Spent(), "")
    for each in found:
        print_one(each)
        total = total._replace(
            ours=total.ours.plus(each.ours), theirs=total.theirs.plus(each.theirs)
        )
    print_one(total)


# --- size -----------------------------------------------------------------------------------------


def leaf(i: int) -> R:
    return table(f"t{i}", "a:i64? b:i64?")


def chain(relations: int) -> R:
    """Filters and projections by turns, each on the one before."""
    out = leaf(0)
    for i in range((relations - 1) // 2):
        out = out.filter(lambda r, i=i: gt(r[0], lit(i, "i64")))  # type: ignore[misc]
        out = out.select(lambda r: [add(r[0], lit(1, "i64")), r[1]])
    return out


def wide_join(relations: int) -> R:
    """A balanced tree of inner joins over tables of their own: half of the relations are joins."""
    level = [leaf(i) for i in range((relations + 1) // 2)]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        odd = level[len(level) // 2 * 2 :]
        level = [a.join(b, "INNER", lambda r: eq(r[0], r[2]), emit=[0, 3]) for a, b in pairs] + odd
    return level[0]


def wide_union(relations: int) -> R:
    """One union over filtered tables."""
    branches = [
        leaf(i).filter(lambda r: gt(r[0], lit(0, "i64"))) for i in range((relations - 1) // 2)
    ]
    return set_("UNION_ALL", *branches).aggregate(lambda r: [r[0]], lambda _: [count()])


def bench_size(largest: int) -> None:
    kinds = {"chain": chain, "join tree": wide_join, "wide union": wide_union}
    # Protobuf's builder copies a message into its parent, so a deep chain is expensive to make;
    # that is not timed.
    lines: list[list[object]] = []
    for kind, make in kinds.items():
        size = 125
        while size <= largest:
            progress(f"size {kind} {size}")
            width = "a b" if kind != "wide union" else "a n"
            data = plan((make(size), width)).SerializeToString()
            try:
                substrait_sql.to_sql(data)
            except substrait_sql.SubstraitSqlError as refused:
                lines.append([kind, size, len(data), "-", f"refused {refused.code}"])
            except RecursionError:
                lines.append([kind, size, len(data), "-", "RecursionError"])
            else:
                spent = statistics.median(
                    seconds(lambda data=data: substrait_sql.to_sql(data))  # type: ignore[misc]
                    for _ in range(3)
                )
                lines.append(
                    [kind, size, len(data), f"{spent * 1e3:.0f}", f"{spent / size * 1e6:.0f}"]
                )
            size *= 2
    show(
        "time per relation while plans double in size",
        ["plan", "relations", "plan bytes", "ms", "µs per relation"], lines,
    )  # fmt: skip


# --- growth ---------------------------------------------------------------------------------------


def bench_growth() -> None:
    lines: list[list[object]] = []
    for kind, sizes in growth.SIZES.items():
        for size in sizes:
            progress(f"growth {kind} {size}")
            lines.append([kind, f"{size:,}", *growth.measured(kind, size)])
    show(
        "large plans, each in a process of its own",
        ["plan", "size", "plan MB", "text MB", "seconds", "peak MB"], lines,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only",
        choices=["render", "lift", "start", "run", "size", "growth", "unnested"],
        help="one part instead of all",
    )
    parser.add_argument("--scale", type=float, default=0.1, help="scale of the tables (run part)")
    parser.add_argument("--repeat", type=int, default=3, help="runs per query and side (run part)")
    parser.add_argument(
        "--queries", nargs="+", default=[], metavar="h17|ds6", help="only these (run part)"
    )
    parser.add_argument(
        "--limit", type=float, default=60, help="seconds that Spark may take of a text (run part)"
    )
    parser.add_argument("--renders", type=int, default=15, help="runs per query (render part)")
    parser.add_argument("--largest", type=int, default=4000, help="relations (size part)")
    chosen = parser.parse_args()
    print(f"substrait-sql {substrait_sql.__version__}, sqlglot {sqlglot.__version__}")
    if chosen.only in (None, "render"):
        bench_render(chosen.renders)
    if chosen.only in (None, "lift"):
        bench_lift(chosen.renders, chosen.largest // 64)
    if chosen.only in (None, "start"):
        bench_start(chosen.renders)
    if chosen.only in (None, "size"):
        bench_size(chosen.largest)
    if chosen.only in (None, "growth"):
        bench_growth()
    if chosen.only in (None, "run"):
        bench_run(chosen.scale, chosen.repeat, chosen.limit, chosen.queries)
    if chosen.only in (None, "unnested"):
        bench_unnested(chosen.scale, chosen.repeat, chosen.limit)


if __name__ == "__main__":
    main()
