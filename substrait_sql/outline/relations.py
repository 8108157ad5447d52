"""What one relation says of itself: a word for what it is, and the parts of what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.outline.literals import clean, few, name_of, quoted
from substrait_sql.outline.parts import Scope, enum_words, generic, mask_text
from substrait_sql.plan import generators, recursion

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.outline.columns import Column, Node
    from substrait_sql.outline.notation import Notation

Parts = list[str]

_SIMPLE = {1: "equal", 2: "is_not_distinct_from", 3: "might_equal"}


class Relations:
    """Writes relations. outer: the record around the subquery that the relation stands in."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation

    def describe(self, node: Node, outer: Scope | None) -> tuple[str, Parts]:
        """Return the word of the relation, and its parts."""
        if node.kind is None or node.message is None:
            return ("empty relation" if node.kind is None else node.kind.replace("_", " ")), []
        write = _WRITERS.get(node.kind, Relations.other)
        scope = self.scope(node, outer)
        return node.kind.replace("_", " "), [*write(self, node, scope), *self._common(node)]

    def scope(self, node: Node, outer: Scope | None) -> Scope:
        """Return what the expressions of a relation see.

        Both conventions exist: the anchor on the relation that hosts a subquery, and on its input.
        """
        anchors = {n.common.rel_anchor for n in (node, *node.inputs) if n.common is not None}
        return _scope(node.record, frozenset(anchors - {0}), outer)

    def _common(self, node: Node) -> Parts:
        common, found = node.common, []
        if node.emits:
            found.append(f"emit {_emit(common.emit.output_mapping) or 'nothing'}")
        if common is not None:
            if common.hint.alias:
                found.append(f"alias {name_of(common.hint.alias)}")
            if common.hint.stats.row_count > 0:
                found.append(f"about {common.hint.stats.row_count:,.0f} rows")
            if common.rel_anchor:
                found.append(f"anchor {common.rel_anchor}")
        for owner in (common, node.message):
            if owner is not None and "advanced_extension" in owner.DESCRIPTOR.fields_by_name:
                found += _extension(owner.advanced_extension)
        return found

    # -- one method for each kind ---------------------------------------------------------------

    def read(self, node: Node, scope: Scope) -> Parts:
        """``lineitem (4 of 16 columns); filter gt(a, 1)``."""
        message = node.message
        found = [f"{self._source(node, scope)} ({_width(message, len(node.record), scope)})"]
        if message.WhichOneof("read_type") == "virtual_table":
            found.append(self._rows(node, scope))
        for name in ("filter", "best_effort_filter"):
            if message.HasField(name):
                # The lowering's path, by which subqueries are found, has the kind in it.
                at = node.path / (message.WhichOneof("read_type") or "") / name
                text = self.notation.expression(getattr(message, name), scope, at)
                found.append(f"{name.replace('_', ' ')} {text}")
        return found

    def _source(self, node: Node, scope: Scope) -> str:
        message, kind = node.message, node.message.WhichOneof("read_type")
        if kind == "named_table":
            return ".".join(map(name_of, message.named_table.names)) or "(a table without name)"
        if kind == "virtual_table":
            return "values"
        steps = recursion.steps_of(message.extension_table.detail)
        if steps is not None:
            return "the round before" + f", {steps} out" * bool(steps)
        if kind is None:
            return "nothing"
        if kind == "local_files":
            return _files(message.local_files.items)
        return f"{kind.replace('_', ' ')} {few(self._generic(getattr(message, kind), node, scope))}"

    def _rows(self, node: Node, scope: Scope) -> str:
        rows = node.message.virtual_table.expressions
        head = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"
        if not rows:
            return head
        at = (node.path / "virtual_table" / "expressions")[0] / "fields"
        cells = self.notation.expressions(rows[0].fields, Scope(outer=scope.outer), at)
        return f"{head}{', the first' if len(rows) > 1 else ''} ({few(cells)})"

    def filter(self, node: Node, scope: Scope) -> Parts:
        """Write the condition."""
        return [self._one(node, "condition", scope)]

    def project(self, node: Node, scope: Scope) -> Parts:
        """Write the expressions; what they are called stands among the columns."""
        at = node.path / "expressions"
        return [
            ", ".join(self.notation.expressions(node.message.expressions, scope, at)) or "nothing"
        ]

    def sort(self, node: Node, scope: Scope) -> Parts:
        """Write the keys."""
        return [", ".join(self.notation.sorts(node.message.sorts, scope, node.path / "sorts"))]

    def fetch(self, node: Node, scope: Scope) -> Parts:
        """``limit 10, offset 5``."""
        return [self._limits(node, "count_expr", "offset_expr", scope)]

    def top_n(self, node: Node, scope: Scope) -> Parts:
        """Write a sort and a fetch in one."""
        ties = " with ties" if node.message.mode == 2 else ""
        return [self._limits(node, "count", "offset", scope) + ties, *self.sort(node, scope)]

    def _limits(self, node: Node, count: str, offset: str, scope: Scope) -> str:
        found = [
            f"{word} {self._one(node, name, scope)}"
            for word, name in (("limit", count), ("offset", offset))
            if node.message.HasField(name)
        ]
        return ", ".join(found) or "all rows"

    def aggregate(self, node: Node, scope: Scope) -> Parts:
        """``by a, b; sum(c)``, with the grouping sets where there are several."""
        message = node.message
        keys = self.notation.expressions(
            message.grouping_expressions, scope, node.path / "grouping_expressions"
        )
        found = [f"by {', '.join(keys)}"] if keys else []
        sets = [list(g.expression_references) for g in message.groupings]
        if sets not in ([], [list(range(len(keys)))]) or (keys and not sets):
            texts = [f"({', '.join(_key(keys, i) for i in s)})" for s in sets]
            found.append(f"grouping sets {few(texts, 16) or 'none'}")
        at = node.path / "measures"
        measures = [self.notation.measure(m, scope, at[i]) for i, m in enumerate(message.measures)]
        return [*found, ", ".join(measures)] if measures else found or ["nothing"]

    def join(self, node: Node, scope: Scope) -> Parts:
        """``left semi on equal(a, b)``; keys where the join has them."""
        message, fields = node.message, node.message.DESCRIPTOR.fields_by_name
        head = enum_words(message, "type") if "type" in fields else ""
        tests = self._keys(node, scope) if "keys" in fields else []
        if "expression" in fields and message.HasField("expression"):
            tests.append(self._one(node, "expression", scope))
        found = [" ".join(filter(None, (head, "on" if tests else "", ", ".join(tests))))]
        if "residual_expression" in fields and message.HasField("residual_expression"):
            found.append(f"residual {self._one(node, 'residual_expression', scope)}")
        if "post_join_filter" in fields and message.HasField("post_join_filter"):
            after = _scope(node.direct, scope.anchors, scope.outer)
            found.append(f"then filter {self._one(node, 'post_join_filter', after)}")
        if "build_input" in fields and message.build_input:
            found.append(f"build {enum_words(message, 'build_input')}")
        return [p for p in found if p]

    def _keys(self, node: Node, scope: Scope) -> Parts:
        """Write the keys of a physical join. Each side counts from its own first column."""
        sides = [_scope(n.columns, scope.anchors, scope.outer) for n in node.inputs]
        left, right = (*sides, scope, scope)[:2]
        found = []
        for i, key in enumerate(node.message.keys):
            at = (node.path / "keys")[i]
            a = self.notation.selection(key.left, left, at / "left")
            b = self.notation.selection(key.right, right, at / "right")
            if key.comparison.WhichOneof("inner_type") == "custom_function_reference":
                word = self.notation.function(key.comparison.custom_function_reference)
            else:
                word = _SIMPLE.get(key.comparison.simple, "compare")
            found.append(f"{word}({a}, {b})")
        return found

    def set(self, node: Node, scope: Scope) -> Parts:
        """``union all``."""
        return [f"{enum_words(node.message, 'op')} of {len(node.inputs)}"]

    def reference(self, node: Node, scope: Scope) -> Parts:
        """Write the relation of the plan that is read once more."""
        found = [f"relation {node.message.subtree_ordinal}"]
        bindings = [
            self.notation.selection(b, scope, (node.path / "outer_reference_bindings")[i])
            for i, b in enumerate(node.message.outer_reference_bindings)
        ]
        return [*found, f"with {', '.join(bindings)}"] if bindings else found

    def window(self, node: Node, scope: Scope) -> Parts:
        """Write the functions, then what they share."""
        message, at = node.message, node.path / "window_functions"
        calls = [
            self.notation.windowed(f, scope, at[i]) for i, f in enumerate(message.window_functions)
        ]
        found = [", ".join(calls)] if calls else []
        if message.partition_expressions:
            at = node.path / "partition_expressions"
            keys = self.notation.expressions(message.partition_expressions, scope, at)
            found.append(f"partition by {', '.join(keys)}")
        return found + ([f"order by {self.sort(node, scope)[0]}"] if message.sorts else [])

    def expand(self, node: Node, scope: Scope) -> Parts:
        """Each field: one expression, or those that it takes in turn, in brackets."""
        found = []
        for i, f in enumerate(node.message.fields):
            at = (node.path / "fields")[i]
            if f.WhichOneof("field_type") == "consistent_field":
                found.append(
                    self.notation.expression(f.consistent_field, scope, at / "consistent_field")
                )
            else:
                at = at / "switching_field" / "duplicates"
                turns = self.notation.expressions(f.switching_field.duplicates, scope, at)
                found.append(f"[{' | '.join(turns)}]")
        return [", ".join(found) or "nothing"]

    def write(self, node: Node, scope: Scope) -> Parts:
        """Write what is done to which table."""
        message = node.message
        words = [enum_words(message, "op"), self._target(node, scope)]
        if message.create_mode:
            words.append(enum_words(message, "create_mode"))
        return [" ".join(words), *([enum_words(message, "output")] if message.output else [])]

    def ddl(self, node: Node, scope: Scope) -> Parts:
        """Write what is done to which table or view."""
        message = node.message
        words = [
            enum_words(message, "op"),
            enum_words(message, "object"),
            self._target(node, scope),
        ]
        defaults = message.table_defaults.fields
        rest = self._generic(message.table_defaults, node, scope) if defaults else []
        return [" ".join(words), *(f"defaults {r}" for r in rest)]

    def update(self, node: Node, scope: Scope) -> Parts:
        """``t; set a = add(a, 1); where gt(b, 0)``."""
        found = []
        for i, change in enumerate(node.message.transformations):
            at = (node.path / "transformations")[i] / "transformation"
            text = self.notation.expression(change.transformation, scope, at)
            found.append(f"{scope.name(change.column_target)} = {text}")
        parts = [self._target(node, scope), f"set {', '.join(found)}"]
        if node.message.HasField("condition"):
            parts.append(f"where {self._one(node, 'condition', scope)}")
        return parts

    def _target(self, node: Node, scope: Scope) -> str:
        for name in ("named_table", "named_object"):
            if name in node.message.DESCRIPTOR.fields_by_name and node.message.HasField(name):
                width = len(node.message.table_schema.names)
                names = ".".join(map(name_of, getattr(node.message, name).names))
                return f"{names} ({width} column{'' if width == 1 else 's'})" if width else names
        kind = node.message.WhichOneof("update_type" if node.kind == "update" else "write_type")
        return few(self._generic(getattr(node.message, kind), node, scope)) if kind else "(no name)"

    def extension_single(self, node: Node, scope: Scope) -> Parts:
        """``explode of the last column of its input, as tag``; what others call a relation is their own affair."""
        made = generators.read(node.message.detail)
        if made is None:
            return self.other(node, scope)
        count = made.arguments
        read = "the last column" if count == 1 else f"the last {count} columns"
        named = few([name_of(c) for c in made.columns])
        return [f"{made.name}{'_outer' * made.outer} of {read} of its input, as {named}"]

    def extension_multi(self, node: Node, scope: Scope) -> Parts:
        """``recursion reports``, whose inputs are the start and the step."""
        made = recursion.read(node.message.detail)
        if made is None:
            return self.other(node, scope)
        most = made.most_rounds
        said = "" if most is None else f", at most {most} round{'' if most == 1 else 's'}"
        return [f"recursion {name_of(made.name)}{said}"]

    def other(self, node: Node, scope: Scope) -> Parts:
        """Any relation: its fields, as they are called in the protobuf."""
        return self._generic(node.message, node, scope)

    def _generic(self, message: Any, node: Node, scope: Scope) -> Parts:
        def write(value: Any, name: str) -> str:
            is_field = value.DESCRIPTOR.name == "FieldReference"
            text = self.notation.selection if is_field else self.notation.expression
            return text(value, scope, node.path / name)

        return generic(message, write)

    def _one(self, node: Node, name: str, scope: Scope) -> str:
        return self.notation.expression(getattr(node.message, name), scope, node.path / name)


def _emit(mapping: Any) -> str:
    """Write an emit: ``3, 0, 0``, and ``9..16`` for four and more in a row."""
    runs: list[tuple[int, int]] = []
    for ordinal in mapping:
        if runs and runs[-1][1] + 1 == ordinal:
            runs[-1] = (runs[-1][0], ordinal)
        else:
            runs.append((ordinal, ordinal))
    found: Parts = []
    for first, last in runs:
        few_enough = last - first < 3
        found += map(str, range(first, last + 1)) if few_enough else [f"{first}..{last}"]
    return few(found, 24)


def _scope(columns: list[Column], anchors: frozenset[int], outer: Scope | None) -> Scope:
    return Scope([c.name for c in columns], anchors, outer)


def lateral_scope(node: Node, outer: Scope | None) -> Scope:
    """Return what the right side of a lateral join sees beyond its inputs: the left row."""
    anchors = {n.common.rel_anchor for n in (node, node.inputs[0]) if n.common is not None}
    names = [c.name for c in node.inputs[0].columns]
    return Scope(names, frozenset(anchors - {0}), outer, lateral=True)


def _width(message: Any, width: int, scope: Scope) -> str:
    """How many columns there are; of a mask, how many are kept, and which parts of nested ones."""
    text = f"{width:,} column{'' if width == 1 else 's'}"
    if not message.HasField("projection"):
        return text
    items = message.projection.select.struct_items
    nested = any(i.HasField("child") for i in items)
    parts = f", mask {mask_text(message.projection, scope)}" if nested else ""
    return f"{len(items):,} of {text}{parts}"


def _files(items: Any) -> str:
    if not items:
        return "no files"
    first = items[0]
    kind, form = first.WhichOneof("path_type"), first.WhichOneof("file_format")
    name = quoted(getattr(first, kind)) if kind else "without path"
    head = f"{form} file" if form else "file"
    return f"{head} {name}" if len(items) == 1 else f"{len(items):,} {head}s, the first {name}"


def _key(keys: Parts, ordinal: int) -> str:
    return keys[ordinal] if ordinal < len(keys) else f"key {ordinal}"


def _extension(message: Any) -> Parts:
    found = []
    if message.HasField("enhancement"):
        found.append(f"enhancement {clean(message.enhancement.type_url)}")
    return found + [f"optimization {clean(o.type_url)}" for o in message.optimization]


_WRITERS: dict[str, Callable[[Relations, Node, Scope], Parts]] = {
    "read": Relations.read,
    "filter": Relations.filter,
    "project": Relations.project,
    "sort": Relations.sort,
    "fetch": Relations.fetch,
    "top_n": Relations.top_n,
    "aggregate": Relations.aggregate,
    **dict.fromkeys(
        ("join", "lateral_join", "hash_join", "merge_join", "nested_loop_join"), Relations.join
    ),
    "set": Relations.set,
    "reference": Relations.reference,
    "window": Relations.window,
    "expand": Relations.expand,
    "extension_multi": Relations.extension_multi,
    "extension_single": Relations.extension_single,
    "write": Relations.write,
    "ddl": Relations.ddl,
    "update": Relations.update,
}
