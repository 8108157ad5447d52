"""The modules of relations and expressions, imported when a plan has one of that kind."""

from __future__ import annotations

import subprocess
import sys


def test_a_kind_is_found_wherever_a_plan_first_has_it() -> None:
    """Its module is imported then. Near the end of Python's stack it is all there afterwards, or not at all."""
    program = """
import sys
from substrait_sql.lower import expression, expressions, kinds

def find(depth):
    if depth:
        return find(depth - 1)
    return kinds.find("subquery", expression._LOWERINGS, expressions)

found = None
for room in range(10, 200, 3):
    try:
        found = find(sys.getrecursionlimit() - room)
    except RecursionError:
        assert "subquery" not in expression._LOWERINGS
    else:
        break
assert found is not None
assert sys.modules[found.__module__].subquery is found
"""
    subprocess.run([sys.executable, "-c", program], check=True)
