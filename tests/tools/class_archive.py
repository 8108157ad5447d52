"""An archive of the classes that Spark loads: a Java that maps it has a session in half the time, and tests start many.

``python -m tests.tools.class_archive`` makes it, and so does `make test`; `use` has each Java that a test starts for
itself take it. Without it all is as before, only slower. Another Java or Spark than those that made it passes it over.
Java compiles quickly rather than well: of the processor's time of a session with thousands of small queries, thorough
compilation took two fifths, and made the rest no shorter.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ARCHIVE = Path(__file__).parents[2] / ".cache" / "spark_classes.jsa"
_SILENT = "-Xlog:cds=off -Xlog:cds+dynamic=off -Xlog:class+path=off"
_VARIABLE = "SPARK_SUBMIT_OPTS"
# Such compilers keep a fifth of the code that others do, if nobody says how much, and compile the rest again and again.
_QUICK = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"


def options() -> str:
    """What each Java is asked for. The archive is part of it where somebody has made it."""
    mapped = f'"-XX:SharedArchiveFile={ARCHIVE}" {_SILENT}' if ARCHIVE.exists() else ""
    return f"{_QUICK} {mapped}".strip()


def use() -> None:
    """Asks for that in every Java that a test starts for itself, in this process and in those that it starts."""
    os.environ.setdefault(_VARIABLE, options())


def main() -> int:
    """Makes the archive."""
    ARCHIVE.parent.mkdir(exist_ok=True)
    print("Making an archive of Spark's classes, so that tests start it sooner", file=sys.stderr)
    made = ARCHIVE.with_suffix(".new")
    given = f"{_QUICK} -XX:ArchiveClassesAtExit={made} {_SILENT}"
    # The pipe is open until Java has ended, which is when it writes.
    ran = subprocess.run(
        [sys.executable, "-m", "tests.tools.class_archive", "--load"],
        env=os.environ | {_VARIABLE: given},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ran.returncode or not made.exists():
        print(ran.stdout[-4000:], file=sys.stderr)
        return 1
    made.replace(ARCHIVE)
    return 0


def load() -> None:
    """Does on a session what tests do: plans, rows in each form, tables, files, errors, functions in Python."""
    from pyspark.errors import PySparkException

    import substrait_sql
    from substrait_sql import demo

    with tempfile.TemporaryDirectory() as folder:
        session = substrait_sql.local_session(
            "local[2]", {"spark.sql.warehouse.dir": folder, "spark.sql.shuffle.partitions": "2"}
        )
        found = {path.stem: path for path in demo.TABLES.iterdir()}
        rows = substrait_sql.execute(session, demo.PLAN, tables=found)
        rows.collect()
        rows.toArrow()
        for form in ("parquet", "orc", "csv", "json"):
            rows.write.format(form).save(f"{folder}/{form}")
            session.read.format(form).load(f"{folder}/{form}").collect()
        for statement in _STATEMENTS:
            with suppress(PySparkException):
                session.sql(statement).collect()
        session.stop()


_STATEMENTS = (
    "CREATE TABLE t (k INT, v DECIMAL(10, 2), s STRING, at TIMESTAMP) USING parquet",
    "INSERT INTO t SELECT id, id / 3, 's' || id, timestamp_seconds(id) FROM range(100)",
    "SELECT k % 3, s, sum(v), avg(v), count(DISTINCT s) FROM t GROUP BY ROLLUP (k % 3, s) ORDER BY 1, 2 LIMIT 5",
    "SELECT *, rank() OVER (PARTITION BY k % 3 ORDER BY v), sum(v) OVER (ORDER BY k ROWS 3 PRECEDING) FROM t",
    "SELECT * FROM t AS a FULL JOIN t AS b ON a.k = b.k + 1 WHERE NOT a.s <=> b.s",
    "SELECT * FROM t WHERE k IN (SELECT k FROM t WHERE v > 3) AND EXISTS (SELECT 1 FROM t AS b WHERE b.k < t.k)",
    "SELECT k, (SELECT max(v) FROM t AS b WHERE b.k = t.k) FROM t UNION ALL SELECT k, 1 FROM t EXCEPT SELECT 1, 2",
    "SELECT e.*, transform(array(1, 2), x -> x + k) FROM t, LATERAL (SELECT explode(array(k, 2))) AS e",
    "SELECT regexp_replace(s, '[0-9]', 'x'), date_format(at, 'yyyy'), CAST(at AS DATE), from_json(s, 'a INT') FROM t",
    "SELECT no_such_column FROM t",
    "SELECT CAST('x' AS INT)",
    "DROP TABLE t",
)


if __name__ == "__main__":
    sys.exit(load() if sys.argv[1:] == ["--load"] else main())
