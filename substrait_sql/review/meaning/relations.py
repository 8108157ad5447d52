"""Relations of a plan as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.plan import generators, recursion
from substrait_sql.plan.join_types import JOINS, JoinType, join_type
from substrait_sql.plan.results import roots_of
from substrait_sql.plan.scopes import placed_inputs
from substrait_sql.plan.shapes import Made, Passed, keys_shown, parts_of
from substrait_sql.review.meaning.expressions import Around, Expressions, Scope
from substrait_sql.review.meaning.facts import Facts
from substrait_sql.review.meaning.generated import generated, recursive
from substrait_sql.review.meaning.joins import attached, conditions, full
from substrait_sql.review.meaning.keys import apart
from substrait_sql.review.meaning.luck import Luck
from substrait_sql.review.meaning.model import Block, Expr, Leaf, Meaning, NoMeaningError
from substrait_sql.review.meaning.reads import columns, masked
from substrait_sql.review.meaning.sources import add, branches, combine, now, split
from substrait_sql.review.meaning.windows import windowed
from substrait_sql.wire.inside import within
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.wire import Decoded
    from substrait_sql.wire.path import Path

# A shared relation is read once for each reference, so that it is the same as what was written out. Beyond so many
# relations it stays a source of its own.
_MOST = 4_000
_SAME_IN_ANY_ORDER = ("SET_OP_UNION_ALL", "SET_OP_UNION_DISTINCT", "SET_OP_INTERSECTION_MULTISET")


def meanings(decoded: Decoded, dialect: Dialect) -> list[Meaning]:
    """What each root of a plan means. Raises `NoMeaningError`."""
    return _Reader(decoded, dialect).roots()


class _Reader:
    def __init__(self, decoded: Decoded, dialect: Dialect) -> None:
        self._plan = decoded.plan
        self.facts = Facts(decoded, dialect)
        self.luck = Luck(self.facts)
        self.expressions = Expressions(self.facts, self._subquery)
        self._read = 0
        self._open: list[int] = []

    def roots(self) -> list[Meaning]:
        found = []
        for i in roots_of(self._plan):
            entry, at = self._plan.relations[i], (ROOT / "relations")[i]
            self.luck.found.clear()
            block = self._entry(entry, at)
            names = tuple(entry.root.names)
            found.append(Meaning(block, names, at, tuple(self.luck.found)))
        return found

    def _entry(self, entry: Any, at: Path) -> Block:
        """A relation of the plan, with or without a root."""
        if entry.WhichOneof("rel_type") == "root":
            return self.block(entry.root.input, at / "root" / "input", None)
        return self.block(entry.rel, at / "rel", None)

    def block(self, rel: Any, path: Path, around: Around | None) -> Block:
        """Any relation, with its emit."""
        kind = rel.WhichOneof("rel_type")
        if kind is None:
            raise NoMeaningError("the relation is empty", path)
        self._read += 1
        node, path = getattr(rel, kind), path / kind
        read = _READERS.get(kind)
        if read is None or _is_enhanced(node) or self._draws(node):
            found = self._other(node, kind, path, around)
        else:
            found = read(self, node, kind, path, around)
        common = getattr(node, "common", None)
        if common is not None and common.WhichOneof("emit_kind") == "emit":
            picked = common.emit.output_mapping
            if any(not 0 <= i < len(found.outputs) for i in picked):
                raise NoMeaningError("the emit picks a column that is not there", path)
            found = Block(found.source, [found.outputs[i] for i in picked], found.order)
        return found

    def _subquery(self, rel: Any, path: Path, around: Around) -> Block:
        return self.block(rel, path, around)

    def _draws(self, node: Any) -> bool:
        """Whether one of the relation's own expressions gives another value each time."""
        calls = (
            m for m in within(node, closed=("Rel", "Literal", "Type")) if m is not node
            and "function_reference" in m.DESCRIPTOR.fields_by_name
        )  # fmt: skip
        return any(self.facts.is_drawn(self.facts.name(c.function_reference, c)) for c in calls)

    def scope(self, node: Any, inputs: Sequence[tuple[Any, Block]], around: Around | None) -> Scope:
        """What the expressions of a relation see. inputs: messages and what they mean."""
        anchors: dict[int, int] = {}
        record: list[Expr] = []
        for rel, block in inputs:
            kind = rel.WhichOneof("rel_type")
            common = getattr(getattr(rel, kind), "common", None) if kind else None
            if common is not None and common.rel_anchor:
                anchors[common.rel_anchor] = len(record)
            record += block.outputs
        if node.common.rel_anchor:
            anchors[node.common.rel_anchor] = 0
        return Scope(record, anchors, around)

    def over(self, leaf: Leaf, block: Block) -> Block:
        """A source that passes on what its input returns, in its order."""

        def passed(each: Expr) -> Expr:
            return leaf.column(("pass",), each)

        order = [Expr(k.head, [passed(k.args[0])], path=k.path) for k in block.order]
        return Block(leaf.alone_in_from(), [passed(o) for o in block.outputs], order)

    # -- one method for each kind ---------------------------------------------------------------

    def read(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        """A table, files or values: a column is known by its name and type."""
        which = node.WhichOneof("read_type")
        steps = recursion.steps_of(node.extension_table.detail)
        word = {"named_table": "table", "virtual_table": "values"}.get(which or "", which or "")
        scope = Scope((), around=around)
        head: tuple[str, ...] = ()
        exprs: list[Expr] = []
        if which == "named_table":
            head = tuple(node.named_table.names)
        elif which == "virtual_table":
            rows = node.virtual_table
            exprs = [self.expressions.other(r, scope, path) for r in rows.expressions]
        elif steps is not None:
            word, head = "round", (str(steps),)
        elif which is not None:
            exprs = [self.expressions.other(getattr(node, which), scope, path / which)]
        leaf = Leaf(word, head, path, exprs=exprs)
        record = columns(self.facts, leaf, node.base_schema)
        source = leaf.alone_in_from()
        scope = Scope(record, {node.common.rel_anchor: 0}, around)
        for name in ("filter", "best_effort_filter"):
            if node.HasField(name):
                condition = self.expressions.of(getattr(node, name), scope, path / name)
                is_sure = name == "filter"
                for each in split([condition]):
                    add(source, each if is_sure else Expr(("best effort",), [each], path=path))
        if not node.HasField("projection"):
            return Block(source, record)
        return Block(source, [masked(i, record, path) for i in node.projection.select.struct_items])

    def filter(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        block = self.block(node.input, path / "input", around)
        scope = self.scope(node, [(node.input, block)], around)
        add(block.source, self.expressions.of(node.condition, scope, path / "condition"))
        return block

    def project(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        block = self.block(node.input, path / "input", around)
        scope = self.scope(node, [(node.input, block)], around)
        at = path / "expressions"
        if any(
            m.DESCRIPTOR.name == "WindowFunction"
            for m in within(node, closed=("Rel", "Literal", "Type"))
        ):
            self.luck.windows(node, path)
            block, made = windowed(self, node, block, scope, path)
        else:
            made = self.expressions.all(node.expressions, scope, at)
        emits = node.common.WhichOneof("emit_kind") == "emit"
        kept = block.outputs if emits or not self.facts.habits.project_replaces else []
        return Block(block.source, [*kept, *made], block.order)

    def sort(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        block = self.block(node.input, path / "input", around)
        scope = self.scope(node, [(node.input, block)], around)
        return Block(
            block.source, block.outputs, self.expressions.sorts(node.sorts, scope, path / "sorts")
        )

    def fetch(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        names = ("count", "offset") if kind == "top_n" else ("count_expr", "offset_expr")
        block = (
            self.sort(node, kind, path, around)
            if kind == "top_n"
            else self.block(node.input, path / "input", around)
        )
        exprs = []
        for name in names:
            if node.HasField(name):
                value = self.expressions.of(
                    getattr(node, name), Scope((), around=around), path / name
                )
                if value.shown != "0" or not name.startswith("offset"):
                    exprs.append(Expr((name.removesuffix("_expr"),), [value]))
        if not exprs:
            return block
        ties = ("with ties",) if kind == "top_n" and node.mode == 2 else ()
        if not ties:
            self.luck.fetch(block, path)
        return self.over(Leaf("fetch", ties, path, [block], exprs), block)

    def aggregate(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        block = self.block(node.input, path / "input", around)
        scope = self.scope(node, [(node.input, block)], around)
        keys = self.expressions.all(node.grouping_expressions, scope, path / "grouping_expressions")
        shown = keys_shown(node, self.facts.habits)
        keys = keys if shown.masked or len(node.groupings) < 2 else apart(keys)
        sets = [[keys[r] for r in g.expression_references if r < len(keys)] for g in node.groupings]
        if keys and not sets:
            raise NoMeaningError("an aggregation has keys, and no set of them", path)
        said = [Expr(("set",), refs, commutes=True) for refs in sets]
        leaf = Leaf("aggregate", (), path, [block], said if keys or len(sets) > 1 else [])
        if block.order and any(
            not m.measure.sorts and not self._is_orderless(m) for m in node.measures
        ):
            leaf.exprs.append(Expr(("in order",), block.order))
        whole = len(sets) == 1 and {id(k) for k in sets[0]} == {id(k) for k in keys}
        outputs = [leaf.column(("key" if whole else "padded key",), keys[i]) for i in shown.keys]
        at, measures = path / "measures", []
        for i, each in enumerate(node.measures):
            self.luck.measure(each, path)
            made = self.expressions.measure(each, scope, at[i])
            measures.append(leaf.column(("measure",), made))
        if shown.numbered:
            values = Expr(("masks of sets" if shown.masked else "sets",), said)
            number = leaf.column(("grouping set",), values)
            measures.insert(0 if shown.masked else len(measures), number)
        return Block(leaf.alone_in_from(), [*outputs, *measures])

    def _is_orderless(self, measure: Any) -> bool:
        call = measure.measure
        return self.facts.is_orderless("aggregate", self.facts.name(call.function_reference, call))

    def join(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        """Inner joins are sources side by side; others are attached to the side whose rows they keep."""
        type = join_type(node, kind, path / "type")
        left = self.block(node.left, path / "left", around)
        right = self.block(node.right, path / "right", around)
        scope = self.scope(node, [(node.left, left), (node.right, right)], around)
        on = conditions(self.expressions, node, left, right, scope, path)
        made = full(left, right, on, path) if type is JoinType.FULL else None
        if type is JoinType.INNER:
            source = combine(left.source, right.source)
            for each in on:
                add(source, each)
            made = Block(source, [*left.outputs, *right.outputs])
        if made is None:
            made = attached(type, left, right, on, path)
        if "post_join_filter" in node.DESCRIPTOR.fields_by_name and node.HasField(
            "post_join_filter"
        ):
            after = Scope(made.outputs, scope.anchors, around)
            add(
                now(made.source),
                self.expressions.of(node.post_join_filter, after, path / "post_join_filter"),
            )
        return Block(now(made.source), made.outputs)

    def set(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        words = node.DESCRIPTOR.fields_by_name["op"].enum_type.values_by_number
        op = words[node.op].name if node.op in words else str(node.op)
        blocks = [self.block(r, (path / "inputs")[i], around) for i, r in enumerate(node.inputs)]
        if not blocks or len({len(b.outputs) for b in blocks}) > 1:
            raise NoMeaningError(
                "the inputs of a set operation have different numbers of columns", path
            )
        head = (op, "any order") if op in _SAME_IN_ANY_ORDER else (op,)
        if op == "SET_OP_UNION_ALL":
            blocks = [inner for b in blocks for inner in branches(b)]
        leaf = Leaf("set", head, path, blocks)
        outputs = [leaf.column((str(i),)) for i in range(len(blocks[0].outputs))]
        return Block(leaf.alone_in_from(), outputs)

    def reference(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        ordinal = node.subtree_ordinal
        if ordinal in self._open or not 0 <= ordinal < len(self._plan.relations):
            raise NoMeaningError("the reference names no relation that can be read", path)
        if len(node.outer_reference_bindings):
            raise NoMeaningError("the reference binds outer references", path)
        entry = self._plan.relations[ordinal]
        if self._read > _MOST:
            raise NoMeaningError("shared relations, written out, are too many", path)
        lucky = len(self.luck.found)
        self._open.append(ordinal)
        block = self._entry(entry, (ROOT / "relations")[ordinal])
        self._open.pop()
        if len(self.luck.found) > lucky:
            # All who read it see the same rows: two references are not two queries.
            leaf = Leaf("shared", (), path, [block])
            leaf.head = (str(ordinal),)
            return self.over(leaf, block)
        return block

    def extension_single(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        made = generators.read(node.detail)
        if made is None:
            return self._other(node, kind, path, around)
        return generated(made, self.block(node.input, path / "input", around), path)

    def extension_multi(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        made = recursion.read(node.detail)
        if made is None or len(node.inputs) != 2:
            return self._other(node, kind, path, around)
        start, step = (
            self.block(r, (path / "inputs")[i], around) for i, r in enumerate(node.inputs)
        )
        return recursive(made, start, step, path)

    def exchange(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        return self.block(node.input, path / "input", around)

    def _other(self, node: Any, kind: str, path: Path, around: Around | None) -> Block:
        """A relation of any kind, as it stands: its fields, its inputs in order."""
        inputs: list[tuple[Any, Block]] = []
        for name, rel, at in placed_inputs(node, path):
            inside = around
            if name == "right" and kind == "lateral_join":
                inside = Around(self.scope(node, inputs, around))
                inside.scope.lateral = True
            inputs.append((rel, self.block(rel, at, inside)))
        if self._draws(node):
            self.luck.drawn(path)
        scope = self.scope(node, inputs, around)
        blocks = [block for _, block in inputs]
        # Its columns have places, and those of the operator that a projection's windows make have not.
        leaf = Leaf("window relation" if kind == "window" else kind, (kind,), path, blocks)
        inner = Scope(scope.record, scope.anchors, around, windows=(leaf, scope))
        for each, value in node.ListFields():
            name = each.message_type.name if each.message_type is not None else ""
            if name in ("Rel", "RelCommon"):
                continue
            if name == "" or hasattr(value, "ListFields"):
                leaf.exprs.append(self._field(each.name, value, inner, path))
            else:
                at = path / each.name
                made = [self._field(each.name, v, inner, at[i]) for i, v in enumerate(value)]
                leaf.exprs.append(Expr((each.name,), made))
        outputs = [leaf.column((str(i),)) for i in range(self._width(node, kind, inputs, path))]
        return Block(leaf.alone_in_from(), outputs)

    def _field(self, name: str, value: Any, scope: Scope, path: Path) -> Expr:
        if not hasattr(value, "ListFields"):
            return Expr((name, repr(value)), path=path)
        if value.DESCRIPTOR.name == "NamedStruct":
            return Expr((name, value.SerializeToString(deterministic=True).hex()), path=path)
        if value.DESCRIPTOR.name == "Expression":
            return Expr((name,), [self.expressions.of(value, scope, path / name)])
        return Expr((name,), [self.expressions.other(value, scope, path / name)])

    def _width(self, node: Any, kind: str, inputs: Sequence[tuple[Any, Block]], path: Path) -> int:
        if kind in ("write", "ddl", "update"):
            return 0
        found = parts_of(kind, node, self.facts.habits)
        if found is None:
            raise NoMeaningError(
                f"the plan does not say what relations of kind {kind} return", path
            )
        width = 0
        for part in found:
            if isinstance(part, Passed):
                field = getattr(node, part.field)
                first = field if hasattr(field, "ListFields") else field[0]
                passed = next((b for rel, b in inputs if rel is first), None)
                if passed is None:
                    raise NoMeaningError("a relation below is missing", path)
                width += len(part.picked(passed.outputs))
            else:
                width += len(part.members) if isinstance(part, Made) else 1
        return width


def _is_enhanced(node: Any) -> bool:
    owners = [node, getattr(node, "common", None)]
    return any(
        o is not None
        and "advanced_extension" in o.DESCRIPTOR.fields_by_name
        and o.advanced_extension.HasField("enhancement")
        for o in owners
    )


_READERS: dict[str, Callable[[_Reader, Any, str, Path, Around | None], Block]] = {
    "read": _Reader.read,
    "filter": _Reader.filter,
    "project": _Reader.project,
    "sort": _Reader.sort,
    "fetch": _Reader.fetch,
    "top_n": _Reader.fetch,
    "aggregate": _Reader.aggregate,
    "set": _Reader.set,
    "reference": _Reader.reference,
    "exchange": _Reader.exchange,
    "extension_single": _Reader.extension_single,
    "extension_multi": _Reader.extension_multi,
    **{kind: _Reader.join for kind in JOINS if kind != "lateral_join"},
}
