"""What a SELECT says is asked of it: a clause that somebody adds is closed over or refused, never lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest
from sqlglot import exp

from substrait_sql.assemble.query import assemble
from substrait_sql.errors import UnsupportedError
from substrait_sql.lower.sharing.reread import again, is_bare
from substrait_sql.schema import types
from substrait_sql.select import block as model
from substrait_sql.select.block import Block, Derived, Shared, Slot
from substrait_sql.select.field import Field
from substrait_sql.select.generated import Generated
from substrait_sql.select.item import Item
from substrait_sql.select.rounds import Round


@pytest.fixture
def new_clause(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A field of `Block` that is a clause and that nobody knows yet."""
    monkeypatch.setattr(model, "_SILENT", model._SILENT - {"title"})
    model._clauses.cache_clear()
    yield "title"
    model._clauses.cache_clear()


def read(title: str = "") -> Block:
    item = Item("t", ["a"], node=exp.to_table("t"))
    block = Block(item, [Field(types.i64(), "a", item=item, ordinal=0)])
    block.title = title
    return block


def test_every_field_of_a_block_belongs_somewhere() -> None:
    names = {f.name for f in fields(Block)}
    assert names >= model._SILENT
    assert names - model._SILENT == model.PRINTED


def test_every_part_of_an_item_is_known() -> None:
    """Who adds one decides what becomes of it where a table is read again: `lower.sharing.reread`."""
    again_or_kept = {"base", "columns_are_exact", "names", "_node", "unknowable"}
    of_this_place = {"alias", "checked", "copies", "lateral", "scopes", "used"}
    assert set(Item.__slots__) == again_or_kept | of_this_place
    assert {kind.__name__ for kind in Item.__subclasses__()} == {
        "Derived",
        "Generated",
        "Round",
        "Shared",
    }
    assert Derived.__slots__ == ("block",)
    # What it is made of cannot be read again elsewhere: it is no table.
    assert Generated.__slots__ == ("arguments",)
    assert Round.__slots__ == ()
    assert Shared.__slots__ == ("block", "builtins")


def test_a_new_clause_is_said(new_clause: str) -> None:
    assert read().says == frozenset()
    assert read("SAMPLE").says == {new_clause}


def test_nothing_is_added_to_a_select_with_a_new_clause(new_clause: str) -> None:
    sampled = read("SAMPLE")
    for slot in Slot.ALL:
        assert read().is_open(slot) == (slot != Slot.HAVING)
        assert sampled.at(slot) is not sampled


def test_a_select_with_a_new_clause_is_not_read_again(new_clause: str) -> None:
    assert is_bare(read())
    assert not is_bare(read("SAMPLE"))


def test_a_select_with_a_new_clause_is_refused(new_clause: str) -> None:
    assemble(read(), [0])
    with pytest.raises(UnsupportedError, match="SS2016 a SELECT with title"):
        assemble(read("SAMPLE"), [0])


def test_a_table_of_which_more_is_said_is_not_read_again() -> None:
    assert again(read(), {}) is not None
    sampled = read()
    assert sampled.item is not None
    assert sampled.item.node is not None
    sampled.item.node.set("sample", exp.TableSample())
    assert again(sampled, {}) is None
