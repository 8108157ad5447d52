"""`substrait-sql plan`: queries in, plans out, mistakes with their place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from substrait_sql import to_plan, to_sql
from substrait_sql.cli.plans import encode

SCHEMA = {"people": {"id": "INT NOT NULL", "name": "STRING"}}


COMMAND = [sys.executable, "-m", "substrait_sql", "plan"]


def run(*arguments: str, text: str = "") -> tuple[int, bytes, str]:
    done = subprocess.run(
        [*COMMAND, *arguments], input=text.encode(), capture_output=True, check=False
    )
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.fixture
def schema(tmp_path: Path) -> str:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA))
    return str(path)


def test_a_query_becomes_a_plan(schema: str) -> None:
    code, out, _ = run("-", "--schema", schema, text="SELECT id FROM people WHERE id > 1")
    assert code == 0
    assert to_sql(out.decode()) == "SELECT\n  id\nFROM people\nWHERE\n  id > 1"


def test_a_folder_becomes_a_folder(schema: str, tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    queries.mkdir()
    (queries / "a.sql").write_text("SELECT id FROM people;\n")
    (queries / "b.sql").write_text("SELECT nome FROM people")
    code, _, err = run(
        str(queries), "--schema", schema, "-f", "binary", "-o", str(tmp_path / "plans")
    )
    assert code == 1
    assert [p.name for p in (tmp_path / "plans").iterdir()] == ["a.pb"]
    assert "SS5004 there is no column nome" in err
    assert "line 1, column 8" in err
    assert "did you mean name?" in err


@pytest.mark.slow
def test_what_cannot_be_read(schema: str, tmp_path: Path) -> None:
    assert "SS5011" in run(str(tmp_path / "none.sql"), "--schema", schema)[2]
    (tmp_path / "bad.sql").write_bytes(b"SELECT '\xff'")
    assert "SS5011" in run(str(tmp_path / "bad.sql"))[2]
    assert "SS5010" in run("-", "--schema", str(tmp_path / "bad.sql"), text="SELECT 1")[2]
    assert "not both" in run("-", "--schema", schema, "--tables", str(tmp_path), text="SELECT 1")[2]
    assert "NAME=TYPE" in run("-", "--param", "x", text="SELECT 1")[2]


RECURSIVE = """
WITH RECURSIVE r(n) MAX RECURSION LEVEL 50 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5)
SELECT n, x FROM r, LATERAL explode(array(n, 2)) AS t(x)
"""


@pytest.mark.slow
def test_the_same_query_is_written_the_same(schema: str) -> None:
    """What extensions of ours hold is a dictionary, which protobuf writes in another order in each process."""
    written = {run("-", "--schema", schema, text=RECURSIVE)[1] for _ in range(5)}
    assert len(written) == 1
    assert to_sql(written.pop().decode()) == to_sql(to_plan(RECURSIVE, schema=SCHEMA))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "text", "binary"])
def test_deep_plans_grow_with_their_depth(form: str) -> None:
    """Lines that are indented would make their text the square of it."""
    one, four = (
        len(encode(to_plan(f"SELECT {'+'.join(['id'] * n)} FROM people", schema=SCHEMA), form))
        for n in (150, 600)
    )
    assert four < 4.1 * one
