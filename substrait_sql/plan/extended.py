"""An `ExtendedExpression` as a plan: its expressions are the SELECT list of a query over a table of its schema.

https://substrait.io/expressions/extended_expression/. The message names no table, so the query reads one called
`TABLE`; the caller says which one that is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid, refuse
from substrait_sql.wire.descriptors import message
from substrait_sql.wire.path import ROOT, Path

if TYPE_CHECKING:
    from substrait_sql.wire import Decoded

TABLE = "input"


def as_plan(decoded: Decoded) -> Decoded:
    """The plan that returns the expressions, or the measures, over the rows of `TABLE`; a plan as it is.

    ``{expression: $0 > 5, output_names: [big]}`` over the schema ``(a)`` is ``SELECT a > 5 AS big FROM input``.
    Without columns in the schema there is no table: ``SELECT 10 AS x``.
    """
    if decoded.kind == "plan":
        return decoded
    given = decoded.plan
    plan: Any = message("Plan")()
    for name in ("extension_urns", "extensions"):
        getattr(plan, name).extend(getattr(given, name))
    plan.version.CopyFrom(given.version)
    plan.advanced_extensions.CopyFrom(given.advanced_extensions)
    root = plan.relations.add().root
    for each in given.referred_expr:
        root.names.extend(each.output_names)
    kinds = {each.WhichOneof("expr_type") for each in given.referred_expr}
    if kinds == {"expression"}:
        _project(root.input.project, given)
    elif kinds == {"measure"}:
        _aggregate(root.input.aggregate, given)
    else:
        at = ROOT / "referred_expr"
        if None in kinds:
            raise invalid("SS2110", "the expression is empty: none of its kinds is set", at)
        raise refuse(
            "SS2014",
            "expressions and measures in one message: no query returns a value of each row beside one of all rows",
            at,
            "put them into a message each",
        )
    return replace(decoded, plan=plan)


def _project(project: Any, given: Any) -> None:
    _read(project.input.read, given)
    width = len(given.base_schema.struct.types) or len(given.base_schema.names)
    for i, each in enumerate(given.referred_expr):
        project.expressions.append(each.expression)
        project.common.emit.output_mapping.append(width + i)


def _aggregate(aggregate: Any, given: Any) -> None:
    _read(aggregate.input.read, given)
    for each in given.referred_expr:
        aggregate.measures.add().measure.CopyFrom(each.measure)


def _read(read: Any, given: Any) -> None:
    read.base_schema.CopyFrom(given.base_schema)
    if given.base_schema.names:
        read.named_table.names.append(TABLE)
    else:
        read.virtual_table.expressions.add()


class Place(Path):
    """Stands for a node of that plan, and names the one of the message that it was made of."""

    __slots__ = ()

    def __truediv__(self, step: str) -> Path:
        match step:
            case "expressions":
                return _Referred(None, "referred_expr")
            case "measures" | "names":
                return Path(None, "referred_expr")
            case "read" | "base_schema":
                return Place(None, "base_schema")
        return self


class _Referred(Path):
    __slots__ = ()

    def __getitem__(self, index: int) -> Path:
        return super().__getitem__(index) / "expression"
