"""Which relations of a plan are its results.

A relation with a root is one (https://substrait.io/relations/basics/). A plan may do without: then it has one result.
"""

from __future__ import annotations

from typing import Any

from substrait_sql.errors import invalid
from substrait_sql.wire.inside import within
from substrait_sql.wire.path import ROOT


def roots_of(plan: Any) -> list[int]:
    """The indexes of the relations that are a plan's results; SS2001 for a plan without relations.

    Where none has a root, it is the last one that no other reads: a shared relation may stand before or behind it.
    """
    if not plan.relations:
        raise invalid("SS2001", "the plan has no relations", ROOT / "relations")
    roots = [i for i, entry in enumerate(plan.relations) if entry.WhichOneof("rel_type") == "root"]
    return roots or [_last_that_none_reads(plan)]


def referred(relation: Any) -> list[int]:
    """The indexes of the relations that ReferenceRels inside of a message read, those of its subqueries too."""
    return [m.subtree_ordinal for m in within(relation) if m.DESCRIPTOR.name == "ReferenceRel"]


def _last_that_none_reads(plan: Any) -> int:
    last = len(plan.relations) - 1
    if last == 0:
        return 0
    read = set(referred(plan))
    return next((i for i in range(last, -1, -1) if i not in read), last)
