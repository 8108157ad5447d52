"""Plans of producers that live in an environment of their own, made once per test run."""

from __future__ import annotations

import base64
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Made:
    """What a producer made of a query: a plan, or the reason why it made none; and the query as
    DuckDB SQL."""

    plan: bytes | None
    refused: str
    sql: str


def produce(
    producer: str, folder: Path, queries: Mapping[str, str], scratch: Path
) -> dict[str, Made]:
    """Run the producer over the Parquet tables of ``folder``; Ibis brings its own queries."""
    subprocess.run(["make", "-s", ".venv-producers/.ready"], cwd=ROOT, check=True)
    listed = scratch / f"{producer}.json"
    listed.write_text(json.dumps(queries), encoding="utf-8")
    program = Path(__file__).with_name("produce.py")
    out = subprocess.run(
        [ROOT / ".venv-producers/bin/python", "-I", program, producer, folder, listed],
        stdout=subprocess.PIPE, check=True,
    ).stdout  # fmt: skip
    return {
        name: Made(
            base64.b64decode(answer["plan"]) if "plan" in answer else None,
            answer.get("refused", ""),
            answer["sql"],
        )
        for name, answer in json.loads(out).items()
    }
