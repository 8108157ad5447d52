"""Which of the standard's functions come back: ``python -m tests.tools.way_back [--verbose]``. No Spark.

The plan of each function case is lowered, its text lifted, and what the new plan calls compared with what the case
calls: the function's name, its extension, and the types of its arguments. Spark's texts are of one type, so `varchar`
comes back as `string`.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import substrait_sql
from substrait_sql.errors import SqlError, SubstraitSqlError
from substrait_sql.testing.cases import plans
from tests.conformance import read

OURS = "extension:substrait_sql:spark"
SAME, OTHER, OWN, NOT = "same", "another of the standard", "our own", "not lifted"
ORDER = (SAME, OTHER, OWN, NOT)
_TEXTS = {"vchar": "str", "fchar": "str", "fbin": "vbin"}


def _called(plan: Any) -> set[tuple[str, str]]:
    urns = {u.extension_urn_anchor: u.urn for u in plan.extension_urns}
    found = set()
    for row in plan.extensions:
        function = row.extension_function
        if function.extension_urn_reference not in urns:
            continue
        name, _, signature = function.name.partition(":")
        types = "_".join(_TEXTS.get(part, part) for part in signature.split("_"))
        found.add((urns[function.extension_urn_reference], f"{name}:{types}"))
    return found


def _plans(case: read.Case) -> Iterator[Any]:
    """The plans of a case: with columns, and where those are refused with constants too."""
    forms = ("column", "first column", "literal") if case.kind == "scalar" else (case.kind,)
    for form in forms:
        try:
            yield (
                plans.scalar([case], form)
                if case.kind == "scalar"
                else plans.together([case], form)
            )
        except SubstraitSqlError:
            continue


def judged(case: read.Case) -> dict[tuple[str, str], tuple[str, str]]:
    """What becomes of the functions that a case calls and that lower; what they are instead, or why nothing."""
    out: dict[tuple[str, str], tuple[str, str]] = {}
    for plan in _plans(case):
        try:
            text = substrait_sql.to_sql(plan)
        except SubstraitSqlError:
            continue
        wanted = _called(plan)
        try:
            back = _called(substrait_sql.to_plan(text, schema={}))
        except (SqlError, ValueError) as error:
            back, why = set(), str(error).partition("\n")[0]
        else:
            why = ", ".join(sorted(name for _, name in back)) or "no call"
        for each in wanted:
            if each in back:
                found = SAME, ""
            elif not back and why != "no call":
                found = NOT, why
            else:
                found = (OWN if any(urn == OURS for urn, _ in back) else OTHER), why
            if each not in out or ORDER.index(found[0]) < ORDER.index(out[each][0]):
                out[each] = found
    return out


def main() -> int:
    best: dict[tuple[str, str], tuple[str, str]] = {}
    for file in read.files():
        for case in read.cases(file):
            for each, found in judged(case).items():
                if each not in best or ORDER.index(found[0]) < ORDER.index(best[each][0]):
                    best[each] = found
    figures: dict[str, Counter[str]] = defaultdict(Counter)
    for (urn, _), (what, _why) in best.items():
        figures[urn.rpartition("functions_")[2]][what] += 1
    print(f"{'':24}" + "".join(f"{x:>26}" for x in ORDER))
    for group, counted in [*figures.items(), ("all", sum(figures.values(), Counter()))]:
        print(f"{group:24}" + "".join(f"{counted[x] or '':>26}" for x in ORDER))
    if "--verbose" in sys.argv:
        for (urn, name), (what, why) in sorted(best.items()):
            if what != SAME:
                print(f"{urn.rpartition('functions_')[2]} {name}: {what}: {why[:150]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
