"""What each statement of the folder becomes, as JSON: ``python -m tests.lift.plans``. It needs no package for tests."""

from __future__ import annotations

import base64
import json
import sys

import substrait_sql
from substrait_sql import SqlError
from tests.lift.damage import SCHEMA, statements


def outcome(sql: str) -> str:
    """The plan's bytes, or the error in full."""
    try:
        plan = substrait_sql.to_plan(sql, schema=SCHEMA)
    except SqlError as error:
        return str(error)
    return base64.b64encode(plan.SerializeToString(deterministic=True)).decode()


if __name__ == "__main__":
    # Older releases of sqlglot, with which the tests of this folder run too, have no such module.
    from sqlglot.expressions import core

    compiled = not core.__file__.endswith(".py")
    json.dump({"compiled": compiled, "outcomes": [*map(outcome, statements())]}, sys.stdout)
