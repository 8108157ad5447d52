"""The table that a statement writes, its columns and their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.names import no_table
from substrait_sql.lift.scope import Scope
from substrait_sql.lift.text.parse import statement
from substrait_sql.lift.tree import Attribute, Expr, Literal
from substrait_sql.lift.typing import casts
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.schemas.catalog import Table
    from substrait_sql.lift.typing.types import Field, SparkType


def parts_of(node: Any) -> tuple[str, ...]:
    """The parts of a table's name."""
    return tuple(p.name for p in node.parts)


def table_of(node: Any, cx: Context) -> Table:
    """The table that is there under this name."""
    found = cx.catalog.table(parts_of(node))
    if found is None:
        raise no_table(parts_of(node), node, cx)
    with cx.about(node):
        for field in found.columns:
            cx.engine.check_type(field.type)
    return found


def attributes_of(table: Table) -> tuple[Attribute, ...]:
    """The columns of a table; CHAR and VARCHAR as text: only the table itself knows how long one may be."""
    return tuple(Attribute(f.name, t.plain(f.type), f.nullable) for f in table.columns)


def stored(value: Expr, kind: SparkType, name: str) -> Expr:
    """The value as a column of the type holds it. Raises `Misused` where Spark stores no such value there.

    A text is left as long as it is: Spark fails where the column is too short for it, a plan's cast would cut it.
    """
    if not casts.stored(value.type, kind):
        kinds = f"{str(value.type).upper()} in {str(kind).upper()}"
        raise Misused(f"column {name}: Spark stores no {kinds}")
    return operators.cast(value, t.plain(kind))


def default_of(table: Table, field: Field, cx: Context) -> Expr:
    """What a column holds that a statement gives no value for: its default, else NULL."""
    text = table.defaults.get(field.name.casefold())
    if text is not None:
        return stored(_constant(text, cx), field.type, field.name)
    if not field.nullable:
        raise Misused(f"column {field.name} is NOT NULL and has no default: give it a value")
    return Literal(t.plain(field.type), True, None)


def _constant(text: str, cx: Context) -> Expr:
    """The expression of a default, which sees no columns."""
    node, source = statement(f"SELECT {text}")
    (item,) = node.expressions
    return lift(item, cx.elsewhere(source).inside(Scope([])))


def is_default(node: Any) -> bool:
    """Whether a value is the word DEFAULT."""
    if isinstance(node, exp.Column) and not node.args.get("table"):
        node = node.this
    plain = isinstance(node, exp.Var) or (
        isinstance(node, exp.Identifier) and not node.args.get("quoted")
    )
    return plain and node.name.upper() == "DEFAULT"
