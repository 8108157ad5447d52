"""The bound on the work of one plan: what would grow with a power of the nesting is refused within seconds."""

from __future__ import annotations

import time
from typing import Any

import pytest

import substrait_sql
from substrait_sql.plan import work
from substrait_sql.wire.deep import in_big_stack, lacked_room
from tests.lower.outer.test_rewritings import nested
from tests.support.build import R, gt, lit, plan, table


def made(rel: R) -> bytes:
    """A plan of the rows."""
    return plan((rel, " ".join(f"c{i}" for i in range(len(rel.types))))).SerializeToString()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["unique", "scalar"])
def test_refused_in_seconds(kind: str) -> None:
    """The condition of a full join stands in two branches, and so does all that it holds."""
    data = made(nested(kind, "OUTER", False, 7, []))
    start = time.process_time()
    with pytest.raises(substrait_sql.UnsupportedError) as found:
        substrait_sql.to_sql(data)
    assert time.process_time() - start < 15
    assert found.value.code == "SS2015", found.value
    (diagnostic,) = substrait_sql.check(data)
    assert diagnostic.code == "SS2015"


def test_allowance_grows_with_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """What any plan may take is not what bounds a long one."""
    monkeypatch.setattr(work, "ALLOWED", 0)
    rel = table("ta", "k:i64?")
    for i in range(50):
        rel = rel.filter(lambda r, i=i: gt(r[0], lit(i, "i64")))  # type: ignore[misc]
    assert "49" in substrait_sql.to_sql(made(rel))
    monkeypatch.setattr(work, "PER_PART", 0)
    with pytest.raises(substrait_sql.UnsupportedError, match="more than 0 steps"):
        substrait_sql.to_sql(made(rel))


def nested_lists(depth: int, record: bool) -> bytes:
    """``CASE WHEN (CASE WHEN … THEN x ELSE y END) IN (z) THEN x ELSE y END``, of decimals that no third one holds."""
    source = table("t", "x:dec<38,0>? y:dec<38,0>? z:dec<38,10>?")
    out = plan((source.select(lambda r: [r[0]]), "v"))
    node = out.relations[0].root.input.project.expressions[0]
    node.Clear()
    for _ in range(depth):
        branch = node.if_then.ifs.add()
        _column(branch.then, 0)
        _column(getattr(node.if_then, "else"), 1)
        test = getattr(branch, "if")
        listed = test.multi_or_list if record else test.singular_or_list
        option = listed.options.add()
        _column(option.fields.add() if record else option, 2)
        node = listed.value.add() if record else listed.value
    _column(node, 0)
    return in_big_stack(out.SerializeToString)


def _column(node: Any, ordinal: int) -> None:
    node.selection.direct_reference.struct_field.field = ordinal
    node.selection.root_reference.SetInParent()


@pytest.mark.slow
@pytest.mark.parametrize("record", [False, True])
def test_nested_lists(record: bool) -> None:
    """The value of a list, which such a comparison writes twice, stands in the text once where it is long."""
    lengths = [len(substrait_sql.to_sql(nested_lists(depth, record))) for depth in (8, 100, 200)]
    assert lengths[0] < 3_000
    assert lengths[2] < 2.2 * lengths[1]


def test_an_error_that_came_of_a_small_stack() -> None:
    """Sqlglot makes an error of its own of a RecursionError: it is known by its cause."""
    try:
        try:
            raise RecursionError
        except RecursionError as small:
            raise ValueError("the text is not SQL") from small
    except ValueError as error:
        assert lacked_room(error)
    assert not lacked_room(ValueError("the text is not SQL"))
