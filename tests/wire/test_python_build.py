"""Protobuf without its compiled part, as it is where PyPI has no build for the platform: the same texts, slower."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import substrait_sql
from substrait_sql import wire
from tests.golden.test_plans import RENDERED

ROOT = Path(__file__).parents[2]
PLANS = RENDERED[::20]

# Plans in every encoding in, their texts out.
RENDER = """
import json, sys
from google.protobuf.internal import api_implementation
import substrait_sql
assert api_implementation.Type() == "python"
json.dump([substrait_sql.to_sql(plan) for plan in json.load(sys.stdin)], sys.stdout)
"""


def test_texts_are_the_same() -> None:
    plans = [
        written
        for path in PLANS
        for plan in [wire.read(path).plan]
        for written in (wire.to_json(plan), wire.to_text(plan))
    ]
    plans += [str(path) for path in PLANS]
    made = subprocess.run(
        [sys.executable, "-c", RENDER],
        input=json.dumps(plans), stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT,
        env={**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"},
    )  # fmt: skip
    assert json.loads(made.stdout) == [substrait_sql.to_sql(plan) for plan in plans]
