"""The queries that a plan reads more than once: lowered once each, and common table expressions of the SQL."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.assemble.names import name as settle_names
from substrait_sql.assemble.pinning import SharedQuery, pin
from substrait_sql.assemble.query import assemble, selected
from substrait_sql.dialect.identifiers import identifier
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.relation import relation
from substrait_sql.lower.sharing.reread import again, beneath, is_bare
from substrait_sql.plan import build
from substrait_sql.plan.scopes import node_of
from substrait_sql.select.block import Shared
from substrait_sql.select.luck import is_drawn
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.output_names import output_names, unique
from substrait_sql.select.rounds import MOST_ROUNDS, Round
from substrait_sql.select.signals import NotNative
from substrait_sql.tree import releases
from substrait_sql.wire.inside import within
from substrait_sql.wire.path import ROOT, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from substrait_sql.dialect.target import Target
    from substrait_sql.lower.context import Context, Env, Made
    from substrait_sql.select.block import Block, SortKey
    from substrait_sql.select.field import Field
    from substrait_sql.select.item import Item, SelectScope
    from substrait_sql.select.rounds import Recursion


# How a negative number ends.
_NEGATIVE = b"\xff\xff\xff\x01"


class SharedQueries:
    """The subtrees that ReferenceRels point to: lowered once each, and read as common table expressions.

    target: the functions that the engine has by itself, and how names are written.
    """

    def __init__(self, plan: Any, target: Target) -> None:
        self._plan = plan
        self._target = target
        self._blocks: dict[int, Block] = {}
        self._orders: dict[int, list[SortKey]] = {}
        self._open: list[int] = []
        self._items: dict[int, list[Item]] = {}
        # The queries that the plan holds several times.
        self._repeated: set[int] = set()
        # Who reads the rows of the round before, in the recursive ones.
        self._recursions: dict[int, Recursion] = {}
        # What a rewriting has put into the plan: how it is lowered, and its width.
        self._made: dict[int, tuple[Made, int]] = {}
        # Whether a subtree refers outwards.
        self.free: dict[int, bool] = {}
        # The subtrees that the root reads and that give other rows each time.
        self.drawn: set[int] = set()

    def use(self, message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
        """A block that reads the subtree with the ordinal of a ReferenceRel."""
        ordinal = message.subtree_ordinal
        if ordinal in self._made:
            return self._made[ordinal][0](cx, path, outer)
        block = self._block(ordinal, cx, path)
        if not self._orders.get(ordinal) and _is_another(block):
            return self._again(block, {}) or block
        return self._reader(ordinal, block)

    def subtree(self, ordinal: int, path: Path) -> Any:
        """The relation that an ordinal names."""
        if not 0 <= ordinal < len(self._plan.relations):
            count = len(self._plan.relations)
            raise invalid("SS2071", f"subtree {ordinal} does not exist: the plan has {count}", path)
        entry = self._plan.relations[ordinal]
        return entry.root.input if entry.WhichOneof("rel_type") == "root" else entry.rel

    def declarations(self, ordinal: int) -> Any:
        """The outer references that a subtree declares as its parameters."""
        return self._plan.relations[ordinal].outer_reference_declarations

    def width(self, ordinal: int) -> int | None:
        """The number of columns of a relation that has been made, None where the ordinal is the plan's."""
        made = self._made.get(ordinal)
        return made[1] if made is not None else None

    def make(self, lower: Made, width: int) -> Any:
        """A relation for a rewritten plan that `lower` gives the block of. Its ordinal is below those of a plan."""
        if not self._made:
            _require_ordinals(self._plan)
        ordinal = -1 - len(self._made)
        self._made[ordinal] = lower, width
        return build.reference(ordinal)

    def host(self, block: Block) -> Block:
        """A block over the same rows, which are shared: `domain` of it reads them once more."""
        if is_bare(block) and not block.computed and self._again(block, {}) is not None:
            block.domain = lambda: self._again(block, {}) or block
            return block
        width, anchors = len(block.fields), block.anchors
        columns = [*block.fields, *block.computed.values()]
        computed = block.computed
        if is_bare(block) and all(f.item is block.item for f in computed.values()):
            block = beneath(block, columns)
        else:
            block.fields = columns
        ordinal = -1 - len(self._blocks)
        self._blocks[ordinal], self._orders[ordinal] = block, block.order
        if not block.limited:
            block.order = []
        fresh = self._reader(ordinal, block)
        fresh.computed = dict(zip(computed, fresh.fields[width:], strict=True))
        fresh.fields, fresh.anchors = fresh.fields[:width], anchors

        def domain() -> Block:
            read = self._reader(ordinal, block)
            read.fields, read.order = read.fields[:width], []
            return read

        fresh.domain = domain
        return fresh

    def made_of(self, block: Block) -> Any:
        """A relation that reads the rows of a shared block once more."""
        assert block.domain is not None
        domain = block.domain
        return self.make(lambda *_: domain(), len(block.fields))

    def make_domain(self, block: Block, fields: list[int]) -> Any:
        """A relation of the distinct values of some columns of a shared block."""
        assert block.domain is not None
        rows = block.domain()
        rows.fields = [rows.fields[i] for i in fields]
        rows.distinct = True
        rows.title = f"{rows.base or 'outer'}_values"
        reader = self.share(rows, {})
        return self.make(lambda *_: reader(), len(fields))

    def reader_of(self, block: Block) -> Callable[[], Block] | None:
        """A function that makes a block over these rows each time it is called; they keep the order that they have.

        None where the rows are drawn: who reads them draws their own.
        """
        if is_drawn(block):
            return None
        if _is_another(block):
            return lambda: self._again(block, {}) or block
        ordinal = -1 - len(self._blocks)
        self._repeated.add(ordinal)
        self._blocks[ordinal], self._orders[ordinal] = block, block.order
        if not block.limited:
            block.order = []
        return lambda: self._reader(ordinal, block)

    def share(self, block: Block, computed: dict[str, Field]) -> Callable[[], Block]:
        """A function that makes a block over these rows, each time it is called. A mere table is read each time.

        computed: columns behind the visible ones that each reader is to have, see `Block.computed`.
        """
        _require_independent(block)
        block.order = []
        bare = is_bare(block) and all(f.item is block.item for f in computed.values())
        if bare and self._again(block, computed) is not None:
            return lambda: self._again(block, computed) or block
        width = len(block.fields)
        columns = [*block.fields, *computed.values()]
        block = beneath(block, columns) if bare else block
        block.fields = columns if not bare else block.fields
        ordinal = -1 - len(self._blocks)
        self._blocks[ordinal] = block

        def reader() -> Block:
            fresh = self._reader(ordinal, block)
            fresh.computed = dict(zip(computed, fresh.fields[width:], strict=True))
            fresh.fields = fresh.fields[:width]
            return fresh

        return reader

    def recursion(self, block: Block, opened: Recursion) -> Block:
        """A block over a query that reads itself. opened: how."""
        ordinal = -1 - len(self._blocks)
        self._blocks[ordinal], self._recursions[ordinal] = block, opened
        return self._reader(ordinal, block)

    def _again(self, block: Block, computed: dict[str, Field]) -> Block | None:
        """See `again`; one more reader of a shared query is noted."""
        fresh = again(block, computed)
        if fresh is not None and isinstance(fresh.item, Shared):
            next(items for items in self._items.values() if block.item in items).append(fresh.item)
        return fresh

    def _reader(self, ordinal: int, block: Block) -> Block:
        node = exp.Table(this=identifier(""))
        item = Shared(block.derived_name("shared"), [], block, node, self._target.builtins)
        self._items.setdefault(ordinal, []).append(item)
        fresh = block.read_as(item, self._orders.get(ordinal, []))
        columns = [*block.fields, *block.hidden]
        item.names = output_names(columns, [""] * len(columns))
        return fresh

    def _block(self, ordinal: int, cx: Context, path: Path) -> Block:
        self.subtree(ordinal, path)
        if ordinal in self._open:
            raise invalid("SS2072", f"subtree {ordinal} refers to itself", path)
        if ordinal not in self._blocks:
            self._open.append(ordinal)
            entry = self._plan.relations[ordinal]
            at = (ROOT / "relations")[ordinal]
            if entry.WhichOneof("rel_type") == "root":
                block = relation(entry.root.input, cx, (at / "root") / "input")
            else:
                block = _under_its_name(entry.rel, cx, at / "rel")
            self._open.pop()
            self._blocks[ordinal] = block
            # A common table expression promises no order: whoever reads it sorts again, if it matters to them.
            self._orders[ordinal] = block.order
            if not block.limited:
                block.order = []
        return self._blocks[ordinal]

    def _name(self, ordinal: int, block: Block, taken: set[str]) -> str:
        """A name that nothing else has. What the plan does not call shared is called what it is, if that is free."""
        own = block.derived_name()
        if ordinal in self._repeated and own.casefold() not in taken:
            return unique(own, taken)
        name = block.derived_name("shared")
        if (block.title or block.suggested) and name.casefold() in taken:
            name = f"{name}_shared"
        return unique(name, taken)

    def attach(self, query: exp.Query, scope: SelectScope, mapped: bool = False) -> exp.Query:
        """Puts the shared queries that a root reads in front of it, and settles all names."""
        taken = _table_names(scope)
        live = scope.every_item()
        ctes: list[SharedQuery] = []
        outside = _rounds(live)
        # A subtree is complete before those that read it, so backwards every reader comes before what it reads.
        for ordinal in reversed(self._blocks):
            items = [i for i in self._items.get(ordinal, ()) if i in live]
            if not items:
                continue
            block = self._blocks[ordinal]
            used = selected(block, set().union(*(i.used for i in items)))
            # One reader may know a hidden sort key that an earlier one did not need.
            names = max((i.names for i in items), key=len)
            inner, inner_scope = assemble(block, used, [names[i] for i in used])
            reads = inner_scope.every_item()
            live |= reads
            taken |= _table_names(inner_scope)
            cte_name = self._name(ordinal, block, taken)
            if ordinal >= 0 and is_drawn(block):
                self.drawn.add(ordinal)
            opened = self._recursions.get(ordinal)
            ctes.append(SharedQuery(cte_name, inner, inner_scope, items, reads, opened))
            for item in items:
                _settle_item(item, cte_name)
            own = opened.rounds if opened is not None else ()
            for item in own:
                item.settle(cte_name)
            outside |= _rounds(reads).difference(own)
        if outside:
            what = "the rows of a round are read by another common table expression"
            hint = "one that the step reads twice, or a recursion within it: write it out, or apart"
            raise refuse("SS2086", what, ROOT, hint)
        ctes.reverse()
        pin(ctes, self._target.builtins)
        if ctes:
            written = [_cte(c) for c in ctes]
            recursive = any(c.recursion is not None for c in ctes)
            query.set(releases.WITH, exp.With(expressions=written, recursive=recursive))
        if self._items and any(map(_is_nameless, query.find_all(exp.Table))):
            raise refuse("SS2074", "a shared query is read where it cannot be had yet", ROOT)
        for each in (scope, *(c.scope for c in reversed(ctes))):
            settle_names(each, self._target.qualify)
            if mapped:
                each.note_origins()
        return query


def _rounds(items: Iterable[Item]) -> set[Item]:
    return {item for item in items if isinstance(item, Round)}


def _is_nameless(table: exp.Table) -> bool:
    """Whether it is still to be said what is read; ``range(3)`` says it without a name."""
    return not table.name and not isinstance(table.this, exp.Func)


def _require_ordinals(plan: Any) -> None:
    """No subtree of the plan's own has a negative ordinal: those name what a rewriting has made."""
    if _NEGATIVE not in plan.SerializeToString():
        return
    for message in within(plan):
        if message.DESCRIPTOR.name == "ReferenceRel" and message.subtree_ordinal < 0:
            raise invalid("SS2071", f"subtree {message.subtree_ordinal} does not exist", ROOT)


def _require_independent(block: Block) -> None:
    """A common table expression cannot refer to the query that reads it."""
    if refers_outside(block):
        raise NotNative(
            refuse("SS2234", "a shared query that refers outwards has no SQL", block.path or ROOT)
        )


def _table_names(scope: SelectScope) -> set[str]:
    """What a common table expression may not be called: it would stand for the table of that name."""
    items = [i for i in scope.every_item() if not isinstance(i, (Shared, Round))]
    found = {i.base.casefold() for i in items if i.base}
    tables = (i.node for i in items if isinstance(i.node, exp.Table))
    return found | {table.name.casefold() for table in tables}


def _cte(shared: SharedQuery) -> exp.CTE:
    made = exp.CTE(this=shared.query, alias=exp.TableAlias(this=identifier(shared.name)))
    if shared.recursion is not None and shared.recursion.most_rounds is not None:
        made.set(MOST_ROUNDS, shared.recursion.most_rounds)
    return made


def _settle_item(item: Item, cte_name: str) -> None:
    if isinstance(item, Shared) and item.base == item.block.derived_name("shared"):
        item.base = cte_name
    assert item.node is not None
    for node in (item.node, *item.copies):
        if isinstance(node, exp.Table):
            node.set("this", identifier(cte_name))


def _under_its_name(rel: Any, cx: Context, path: Path) -> Block:
    """The block of a subtree, whose name is not that of the table that it reads."""
    node = node_of(rel)
    if node is None or "common" not in node.DESCRIPTOR.fields_by_name or not node.common.hint.alias:
        return relation(rel, cx, path)
    name = node.common.hint.alias
    with _nameless(node.common.hint):
        block = relation(rel, cx, path)
    block.title = name
    return block


@contextmanager
def _nameless(hint: Any) -> Iterator[None]:
    name = hint.alias
    hint.ClearField("alias")
    try:
        yield
    finally:
        hint.alias = name


def _is_another(block: Block) -> bool:
    """Whether it is nothing but columns of another shared query, which is read instead."""
    return isinstance(block.item, Shared) and is_bare(block)
