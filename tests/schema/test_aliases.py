"""Type aliases that name nothing, or no type; and UUIDs that are none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import InvalidPlanError
from tests.support.build import lit, plan
from tests.support.cases import PLANS
from tests.support.cases.expressions.given import ONE

if TYPE_CHECKING:
    from collections.abc import Callable

REQUIRED = {"nullability": "NULLABILITY_REQUIRED"}


def alias(anchor: int) -> Any:
    return {"alias": {"typeAliasReference": anchor, **REQUIRED}}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda a: a.pop(), "no type alias with anchor 4"),
        (lambda a: a[0].update(typeAliasAnchor=4), "one anchor"),
        (lambda a: a[0].update(type=alias(4)), "stands for another alias"),
        (lambda a: a[1]["type"]["list"].update(type=alias(4)), "contains itself"),
    ],
)
def test_wrong_aliases(change: Callable[[Any], Any], what: str) -> None:
    tree = json.loads((PLANS / "read" / "type_aliases.json").read_text(encoding="utf-8"))
    change(tree["typeAliases"])
    with pytest.raises(InvalidPlanError, match=f"SS2190 .*{what}"):
        substrait_sql.to_sql(tree)


def test_a_uuid_has_sixteen_bytes() -> None:
    made = lit("0a000000-0000-0000-0000-000000000000", "uuid")
    made.message.literal.uuid = b"short"
    with pytest.raises(InvalidPlanError, match="SS2140"):
        substrait_sql.to_sql(plan((ONE.select(lambda _: [made]), "id")))
