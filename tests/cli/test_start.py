"""The command imports what a subcommand uses, and nothing else: that is most of the time that a short one takes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import substrait_sql

# Says on stderr what is imported at the end.
RUN = """
import json, sys
from substrait_sql.cli import main
try:
    main(sys.argv[1:])
except SystemExit as done:
    assert not done.code, done.code
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
HEAVY = {"sqlglot", "google.protobuf", "substrait", "yaml", "jinja2", "pyspark", "pyarrow"}


def imported(*arguments: str | Path) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, arguments)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout
    found: list[str] = json.loads(ran.stderr.splitlines()[-1])
    return set(found)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["render", "--help"]])
def test_help_and_version(arguments: list[str]) -> None:
    """All subcommands are imported for `--help`; none of them imports what it works with."""
    there = imported(*arguments)
    assert not there & (HEAVY | {"rich", "rich_click", "importlib.metadata"})
    assert "substrait_sql.pipeline" not in there


def test_render() -> None:
    there = imported("render", substrait_sql.demo.PLAN)
    unused = {
        "concurrent.futures", "google.protobuf.json_format", "jinja2", "pyarrow", "pyspark", "rich",
        "rich_click", "substrait_sql.dialect.custom", "substrait_sql.lift",
        "substrait_sql.lower.writes.statements", "substrait_sql.outline", "substrait_sql.policy",
        "substrait_sql.run.execute", "substrait_sql.text.statement", "substrait_sql.text.templates",
        "substrait_sql.wire.json_reader", "substrait_sql.wire.text_reader", "substrait_sql.wire.upgrades",
    }  # fmt: skip
    assert not there & unused
    # What the plan has none of: casts, windows, lambdas, grouping sets, files, outer references.
    assert not there & {
        f"substrait_sql.lower.{name}"
        for name in (
            "expressions.casts.cast", "expressions.lambda_", "expressions.subquery", "expressions.windows",
            "relations.aggregates.grouping_sets", "relations.extension", "relations.joins.marks",
            "relations.reads.files", "relations.sets.set_op", "unnest.attempts", "unnest.sideways",
        )
    }  # fmt: skip


def test_the_python_call_imports_no_more_than_the_command() -> None:
    program = """
import json, sys
import substrait_sql
alone = set(sys.modules)
print(substrait_sql.to_sql(substrait_sql.demo.PLAN))
print(json.dumps([sorted(alone), sorted(sys.modules)]), file=sys.stderr)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    alone, there = (set(names) for names in json.loads(ran.stderr.splitlines()[-1]))
    assert not alone & (HEAVY | {"click"})
    assert there <= imported("render", substrait_sql.demo.PLAN) | {"substrait_sql.demo"}


def test_nobody_looks_for_garbage_at_the_end() -> None:
    """A third of the time of a short command: Python would look through all that has been imported, several times."""
    program = RUN + "import atexit, gc\natexit._run_exitfuncs()\nassert gc.get_freeze_count()\n"
    plan = str(substrait_sql.demo.PLAN)
    subprocess.run([sys.executable, "-c", program, "render", plan], capture_output=True, check=True)
