"""Statements that change something: https://substrait.io/relations/logical_relations/#write-operator and DDL.

They stand at the top of a plan only: Spark's own return no rows that a relation above could read. What they write is an
ordinary query; the words around it are templates (`text.statement`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.assemble.query import assemble
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.common_type import held
from substrait_sql.lower.context import Context, Env
from substrait_sql.lower.declared_types import exact
from substrait_sql.lower.expression import expression
from substrait_sql.lower.expressions.literal import exact_literal
from substrait_sql.lower.relation import relation
from substrait_sql.lower.relations.reads.tables import block_over, schema_columns, table_node
from substrait_sql.lower.relations.rows.filter import conditions
from substrait_sql.lower.writes.actions import Action, ColumnDefinition
from substrait_sql.lower.writes.alterations import alterations
from substrait_sql.lower.writes.columns import aligned, takes
from substrait_sql.lower.writes.returning import RECORDS
from substrait_sql.lower.writes.rewrites import CHECKED, Rewriting, kept_rows, updated_rows
from substrait_sql.plan.enhancements import refuse_enhancements
from substrait_sql.schema import types
from substrait_sql.select.asked import Asked
from substrait_sql.select.block import Block
from substrait_sql.select.field import Field, Traits, hold
from substrait_sql.select.item import Item
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_INSERT, _DELETE, _UPDATE, _CTAS = 1, 2, 3, 4
_APPEND, _REPLACE, _IGNORE = 1, 2, 3
_TABLE, _VIEW = 1, 2
_CREATE, _CREATE_OR_REPLACE, _ALTER, _DROP, _DROP_IF_EXIST = 1, 2, 3, 4, 5


def actions(rel: Any, cx: Context, path: Path) -> tuple[list[Action], Block | None]:
    """The statements of a relation of `KINDS`, and the rows that they write, if any."""
    kind = rel.WhichOneof("rel_type")
    node = getattr(rel, kind)
    at = path / kind
    refuse_enhancements(node, at)
    if kind == "write":
        return _write(node, cx, at)
    if kind == "ddl":
        return _define(node, cx, at)
    return _update(node, cx, at)


def _target(node: Any, oneof: str, named: str, path: Path) -> tuple[str, ...]:
    kind = node.WhichOneof(oneof)
    if kind is None:
        raise invalid("SS2092", "the statement has no target", path)
    if kind != named:
        raise refuse("SS2093", "what an extension's own target is has no SQL", path / kind)
    names = tuple(getattr(node, named).names)
    if not names or not all(names):
        raise invalid("SS2092", "the target has no name", path / named)
    return names


def _write(node: Any, cx: Context, path: Path) -> tuple[list[Action], Block | None]:
    target = _target(node, "write_type", "named_table", path)
    if node.op == _UPDATE:
        raise refuse(
            "SS2094",
            "the rows of the update hold no key that says which records they replace",
            path / "op",
            "plan an UpdateRel",
        )
    if node.op not in (_INSERT, _CTAS, _DELETE):
        raise invalid("SS2095", "the write does not say what it does", path / "op")
    if node.output == RECORDS:
        raise refuse(
            "SS2096",
            "Spark's statements do not return what they wrote",
            path / "output",
            "records that are inserted or make a new table can be had, as the result of the plan",
        )
    block = relation(node.input, cx, path / "input")
    block = aligned(block, node.table_schema, cx, path / "table_schema")
    columns = _columns(node.table_schema, None, cx, path)
    if node.op == _DELETE:
        deletion = _delete(target, columns, block, cx, path)
        if _rewriting(target, cx) is Rewriting.NONE:
            return [deletion], None
        kept = kept_rows(node.input, cx, path / "input")
        return [_rewrite(target, columns, cx)], relation(kept, cx, path / "input")
    insert = Action("insert", target, columns)
    if node.op == _INSERT:
        return [insert], block
    create = Action("ctas", target, columns)
    if node.create_mode == _APPEND:
        return [Action("create_table", target, columns, "if_not_exists"), insert], block
    if node.create_mode == _REPLACE and _rewriting(target, cx) is not Rewriting.NONE:
        return [Action("replace", target, columns)], block
    if node.create_mode == _REPLACE:
        create = replace(create, mode="replace")
    elif node.create_mode == _IGNORE:
        create = replace(create, mode="if_not_exists")
    return [create], block


def _rewriting(target: tuple[str, ...], cx: Context) -> Rewriting:
    """How the table is changed, as far as its format is known."""
    lower = tuple(part.lower() for part in target)
    return Rewriting.of(cx.formats.get(lower, cx.formats.get((), "")))


def _rewrite(target: tuple[str, ...], columns: tuple[ColumnDefinition, ...], cx: Context) -> Action:
    checked = _rewriting(target, cx) is Rewriting.CHECKED
    return Action("rewrite", target, columns, CHECKED if checked else "")


def _update(node: Any, cx: Context, path: Path) -> tuple[list[Action], Block | None]:
    """``UPDATE t SET a = b, b = a WHERE …``: every new value is computed from the old row, in SQL as in the plan.

    A condition that is NULL updates nothing. Tables of Spark's own catalog cannot do it, and are rewritten.
    """
    target = _target(node, "update_type", "named_table", path)
    columns = schema_columns(node.table_schema, path / "table_schema")
    item = Item(target[-1], [c.name for c in columns], node=table_node(target))
    item.columns_are_exact = False
    block = block_over(item, columns)
    assignments: list[tuple[str, Field]] = []
    env = Env(cx, block)
    env.keeps = env.plain = True
    if node.HasField("condition"):
        block.where = conditions(node.condition, env, path / "condition")
    env.asked, env.plain = Asked.VALUE, False
    for i, each in enumerate(node.transformations):
        at = (path / "transformations")[i]
        if not 0 <= each.column_target < len(columns):
            raise invalid("SS2101", f"there is no column {each.column_target}", at)
        column = columns[each.column_target]
        value = expression(each.transformation, env, at / "transformation")
        if takes(column.type, value.type, "the new value", at / "transformation"):
            value.sql = exact(value.sql, held(value), column.type, cx, at / "transformation")
        assignments.append((column.name, value.as_field(env.take())))
    if len({name.casefold() for name, _ in assignments}) < len(assignments) or not assignments:
        raise invalid("SS2095", "an update sets one or more columns, each once", path)
    if _rewriting(target, cx) is not Rewriting.NONE:
        own = _columns(node.table_schema, None, cx, path)
        return [_rewrite(target, own, cx)], relation(updated_rows(node), cx, path)
    block.fields = [f for _, f in assignments]
    values, condition = _clauses(block, cx, path)
    names = [name for name, _ in assignments]
    return [
        Action(
            "update",
            target,
            assignments=tuple(zip(names, values, strict=True)),
            condition=condition,
            alias=item.alias if item.alias != target[-1] else "",
        )
    ], None


def _delete(
    target: tuple[str, ...],
    columns: tuple[ColumnDefinition, ...],
    block: Block,
    cx: Context,
    path: Path,
) -> Action:
    """``DELETE FROM t WHERE …``, for rows that are those of the table itself which meet a condition.

    Only then all copies of a record are among the rows or none is. Of other rows nobody can tell whether a record that
    the table has twice is to go once or twice: the plan has no keys.
    """
    item = block.item
    if item is None or not _selects_from(block, target, [c.name for c in columns]):
        raise refuse(
            "SS2091",
            "the rows to delete hold no key that says which of several equal records they are",
            path / "input",
            "plan them as a filter over the table itself",
        )
    _, condition = _clauses(block, cx, path)
    alias = item.alias if item.alias != target[-1] else ""
    return Action("delete", target, condition=condition, alias=alias)


def _selects_from(block: Block, target: tuple[str, ...], names: list[str]) -> bool:
    """Whether the rows are those of the target for which a condition is true, in all their columns."""
    item = block.item
    named = item.table if item is not None else None
    if item is None or named is None or named.name == "":
        return False
    if not block.says <= {"where", "order"}:
        return False
    if hold((*block.fields, *block.where), Traits.WINDOW | Traits.IMPURE):
        return False
    table = tuple(part.name.casefold() for part in named.parts)
    if table != tuple(name.casefold() for name in target):
        return False
    own = [item.names[f.ordinal] if f.item is item else "" for f in block.fields]
    return [n.casefold() for n in own] == [n.casefold() for n in names]


def _clauses(
    block: Block, cx: Context, path: Path
) -> tuple[list[exp.Expression], exp.Expression | None]:
    """The values and the condition of a statement over one table, out of the SELECT that they would make."""
    block.order = []
    query, scope = assemble(
        block, range(len(block.fields)), [f"v{i}" for i in range(len(block.fields))]
    )
    query = cx.shared.attach(query, scope)
    if query.args.get(releases.WITH) is not None:
        raise refuse("SS2100", "a statement that reads a shared relation has no SQL yet", path)
    where = query.args.get("where")
    values = [e.this if isinstance(e, exp.Alias) else e for e in query.expressions]
    return values, where.this if where is not None else None


def _define(node: Any, cx: Context, path: Path) -> tuple[list[Action], Block | None]:
    target = _target(node, "write_type", "named_object", path)
    if node.object not in (_TABLE, _VIEW):
        raise invalid("SS2098", "the definition is of neither a table nor a view", path / "object")
    what = "table" if node.object == _TABLE else "view"
    if node.op in (_DROP, _DROP_IF_EXIST):
        return [
            Action(f"drop_{what}", target, mode="if_exists" * (node.op == _DROP_IF_EXIST))
        ], None
    if node.op not in (_CREATE, _CREATE_OR_REPLACE, _ALTER):
        raise invalid("SS2095", "the definition does not say what it does", path / "op")
    columns = _columns(node.table_schema, node.table_defaults, cx, path)
    mode = "replace" if node.op == _CREATE_OR_REPLACE else ""
    if what == "table":
        if node.op == _ALTER:
            known = cx.table_of(target) if cx.table_of is not None else None
            if known is not None and _rewriting(target, cx) is not Rewriting.NONE:
                known = replace(known, plain=True)
            said = bool(node.table_defaults.fields)
            grammar = cx.dialect.target.grammar
            return alterations(target, columns, known, grammar, path / "op", defaults=said), None
        if mode and _rewriting(target, cx) is not Rewriting.NONE:
            dropped = Action("drop_table", target, mode="if_exists")
            return [dropped, Action("create_table", target, columns)], None
        return [Action("create_table", target, columns, mode)], None
    if not node.HasField("view_definition"):
        raise invalid("SS2098", "the view has no definition", path / "view_definition")
    block = relation(node.view_definition, cx, path / "view_definition")
    block = aligned(block, node.table_schema, cx, path / "table_schema")
    kind = "alter_view" if node.op == _ALTER else "create_view"
    return [Action(kind, target, columns, mode)], block


def _columns(schema: Any, defaults: Any, cx: Context, path: Path) -> tuple[ColumnDefinition, ...]:
    columns = schema_columns(schema, path / "table_schema")
    values = list(defaults.fields) if defaults is not None else []
    if values and len(values) != len(columns):
        raise invalid(
            "SS2097",
            f"{len(values)} defaults for {len(columns)} columns",
            path / "table_defaults",
        )
    env = Env(cx, Block(None, []))
    found = []
    for i, column in enumerate(columns):
        at = path / "table_schema"
        default = None
        # NULL is what a column without a default holds anyway.
        if values and values[i].WhichOneof("literal_type") not in (None, "null"):
            default = exact_literal(values[i], env, path / "table_defaults")
        text = cx.dialect.sql_type(column.sql_type or column.type, at)
        found.append(ColumnDefinition(column.name, text, not types.nullable(column.type), default))
    return tuple(found)
