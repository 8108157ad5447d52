"""How much changed from one plan to another, as far as that is proven, and what changed in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.review.diff.blocks import Blocks
from substrait_sql.review.diff.change import Change, change
from substrait_sql.review.diff.difference import CATEGORIES
from substrait_sql.review.diff.notation import text
from substrait_sql.review.diff.pairs import Pairs
from substrait_sql.review.meaning.keys import Keys
from substrait_sql.review.meaning.model import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.rendered import Column
    from substrait_sql.review.diff.sides import Form
    from substrait_sql.review.meaning.model import Expr, Meaning


class Root(NamedTuple):
    """One root: what it means, and its columns. types: empty where they are not known."""

    meaning: Meaning
    names: tuple[str, ...]
    types: tuple[str, ...]

    @property
    def bare(self) -> tuple[str, ...]:
        """The types without nullability."""
        return tuple(t.replace("?", "") for t in self.types)


def roots(form: Form) -> list[Root]:
    """The roots of a form that has a meaning."""
    found = []
    for i, meaning in enumerate(form.meanings or ()):
        columns: tuple[Column, ...] = form.columns[i] if i < len(form.columns) else ()
        if len(columns) == len(meaning.block.outputs):
            names, types = tuple(c.name for c in columns), tuple(c.type for c in columns)
        else:
            names, types = meaning.names, ()
        found.append(Root(meaning, names, types))
    return found


def category(a: Sequence[Root], b: Sequence[Root]) -> str:
    """The category that is proven."""
    if len(a) != len(b):
        return "rows"
    each = [_category(x, y) for x, y in zip(a, b, strict=True)]
    return max(each, key=CATEGORIES.index, default="same")


def _category(a: Root, b: Root) -> str:
    one, other = a.meaning.block, b.meaning.block
    if _key(one) == _key(other):
        known = bool(a.types and b.types)
        return "same" if a.names == b.names and (not known or a.types == b.types) else "names"
    unordered = Block(one.source, one.outputs), Block(other.source, other.outputs)
    if _key(unordered[0]) == _key(unordered[1]):
        return "order"
    places = [_places(a.names), _places(b.names)]
    if places[0] is None or places[1] is None or len(a.names) != len(one.outputs):
        return "rows"
    if len(b.names) != len(other.outputs):
        return "rows"
    common = [n for n in a.names if n in places[1]]
    kept = [
        Block(block.source, [block.outputs[at[n]] for n in common], block.order)
        for block, at in ((one, places[0]), (other, places[1]))
    ]
    if not common or _key(kept[0]) != _key(kept[1]):
        return "rows"
    if len(common) < len(a.names):
        return "columns"
    return "additive" if len(common) < len(b.names) else "names"


def _key(block: Block) -> str:
    return Keys().block(block)


def _places(names: Sequence[str]) -> dict[str, int] | None:
    """Where each column stands, None where two have one name."""
    found = {name: i for i, name in enumerate(names)}
    return found if len(found) == len(names) else None


def changes(a: Sequence[Root], b: Sequence[Root], proven: str) -> list[Change]:
    """What changed, in words. proven: the category: what is proven to change no rows is not called a change of them."""
    found: list[Change] = []
    for x, y in zip(a, b, strict=False):
        found += _changes(x, y)
    for kind, rest in (("root_removed", a[len(b) :]), ("root_added", b[len(a) :])):
        for root in rest:
            path: dict[str, Any] = {
                "old_path" if kind == "root_removed" else "new_path": root.meaning.path
            }
            found.append(change(kind, **path, what=", ".join(root.names)))
    if proven in ("names", "order", "additive"):
        found = [c for c in found if c.rows != "may"]
    if proven == "columns":
        found = [c for c in found if c.rows != "may" or c.kind == "column_removed"]
    if proven == "rows" and all(c.rows != "may" for c in found):
        found.append(change("other"))
    return found


def _changes(a: Root, b: Root) -> list[Change]:
    blocks = Blocks(Pairs.of(a.meaning.block, b.meaning.block))
    blocks.block(a.meaning.block, b.meaning.block)
    blocks.finish()
    _columns(a, b, blocks)
    blocks.order(a.meaning.block.order, b.meaning.block.order)
    return blocks.found


def _columns(a: Root, b: Root, blocks: Blocks) -> None:
    """The columns of the result, by their names; those that have another name, by what they are, then by place."""
    one, other = a.meaning.block.outputs, b.meaning.block.outputs
    pairs = _by_name(a.names, b.names, len(one), len(other))
    left = [i for i in range(len(one)) if i not in {p[0] for p in pairs}]
    right = [j for j in range(len(other)) if j not in {p[1] for p in pairs}]
    renamed, left, right = _by_key(one, other, left, right, blocks.pairs)
    path = a.meaning.path, b.meaning.path
    found = blocks.found
    for i, j in renamed:
        found.append(change("column_renamed", *path, old=_name(a, i), new=_name(b, j)))
    by_place = [(i, j) for i, j in zip(left, right, strict=False) if len(left) == len(right)]
    for i, j in (*pairs, *by_place):
        what = _name(b, j) if (i, j) in pairs else f"{_name(a, i)}, now {_name(b, j)},"
        blocks.column(what, one[i], other[j])
        _type(what, a, i, b, j, found)
    for i in left[len(by_place) :]:
        found.append(change("column_removed", path[0], what=f"{_name(a, i)}: {text(one[i])}"))
    for j in right[len(by_place) :]:
        found.append(change("column_added", "", path[1], what=f"{_name(b, j)}: {text(other[j])}"))
    places = [j for _, j in sorted([*pairs, *renamed, *by_place])]
    if places != sorted(places):
        found.append(change("columns_order", *path, new=", ".join(b.names)))


def _by_name(a: Sequence[str], b: Sequence[str], many: int, others: int) -> list[tuple[int, int]]:
    if len(a) != many or len(b) != others:
        return [(i, i) for i in range(min(many, others))]
    once = [{n for n, count in Counter(names).items() if count == 1} for names in (a, b)]
    places = {n: j for j, n in enumerate(b)}
    return [(i, places[n]) for i, n in enumerate(a) if n in once[0] & once[1]]


def _by_key(
    one: Sequence[Expr], other: Sequence[Expr], left: list[int], right: list[int], pairs: Pairs
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Columns that are the same under another name."""
    found = []
    keys = {j: pairs.b.expr(other[j]) for j in right}
    for i in left:
        key = pairs.a.expr(one[i])
        same = next((j for j in right if keys.get(j) == key), None)
        if same is not None:
            found.append((i, same))
            del keys[same]
    taken = {i for i, _ in found}, {j for _, j in found}
    rest = [i for i in left if i not in taken[0]], [j for j in right if j not in taken[1]]
    return found, *rest


def _name(root: Root, i: int) -> str:
    return root.names[i] if i < len(root.names) and root.names[i] else str(i + 1)


def _type(what: str, a: Root, i: int, b: Root, j: int, found: list[Change]) -> None:
    if not (a.types and b.types) or a.types[i] == b.types[j]:
        return
    path = a.meaning.path, b.meaning.path
    if a.bare[i] != b.bare[j]:
        found.append(change("column_type", *path, what=what, old=a.types[i], new=b.types[j]))
    elif a.types[i].partition("<")[0] != b.types[j].partition("<")[0]:
        words = ("nullable", "not nullable") if "?" in a.types[i] else ("not nullable", "nullable")
        found.append(change("column_nullability", *path, what=what, old=words[0], new=words[1]))
    else:
        found.append(change("column_nullability", *path, what=what, old=a.types[i], new=b.types[j]))
