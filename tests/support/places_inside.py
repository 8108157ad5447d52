"""The places within an expression in which another one may stand: arms, lists, casts, lambdas, window functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import substrait.proto as pb

from tests.oracle import make
from tests.support import build
from tests.support.build import Expr, lit
from tests.support.cases.expressions.lambdas import called, function, over
from tests.support.plan_types import is_nullable, type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.build import R, Row
    from tests.support.places import Draw, Make, Place

    # What a boolean of a record becomes part of.
    Inside = Callable[[Draw, Row, Expr], Expr]


def _somewhere(inside: Inside) -> Place:
    """A boolean with another one inside, as a condition or as a column."""

    def made(draw: Draw, make_: Make) -> R:
        rows = draw.rows()
        if draw.rng.random() < 0.5:
            return rows.filter(lambda r: inside(draw, r, make_(r, 0, 1)))
        return rows.project(lambda r: [inside(draw, r, make_(r, 0, 1))])

    return made


def _condition(draw: Draw, make_: Make) -> R:
    def made(r: Row) -> list[Expr]:
        return [build.if_then((make_(r, 0, 1), lit(1, "i64")), otherwise=r[1])]

    return draw.rows().project(made)


def _result(_: Draw, r: Row, found: Expr) -> Expr:
    return build.if_then((build.gt(r[0], lit(1, "i64")), found), otherwise=r[2])


def _else(_: Draw, r: Row, found: Expr) -> Expr:
    return build.if_then((build.gt(r[0], lit(1, "i64")), r[2]), otherwise=found)


def _switch_match(_: Draw, r: Row, found: Expr) -> Expr:
    return build.switch(found, (lit(True, "bool"), r[2]), otherwise=lit(None, "bool?"))


def _switch_arm(_: Draw, r: Row, found: Expr) -> Expr:
    return build.switch(r[0], (lit(2, "i64"), found), otherwise=r[2])


def _switch_else(_: Draw, r: Row, found: Expr) -> Expr:
    return build.switch(r[0], (lit(2, "i64"), r[2]), otherwise=found)


def _list_value(_: Draw, r: Row, found: Expr) -> Expr:
    return build.one_of(found, r[2], lit(False, "bool"))


def _list_option(_: Draw, r: Row, found: Expr) -> Expr:
    return build.one_of(r[2], found, lit(None, "bool?"))


def _record_value(_: Draw, r: Row, found: Expr) -> Expr:
    return build.record_one_of([found, r[0]], [r[2], r[1]], [lit(True, "bool"), lit(2, "i64")])


def _record_option(_: Draw, r: Row, found: Expr) -> Expr:
    return build.record_one_of([r[2], r[0]], [found, lit(2, "i64")], [lit(True, "bool"), r[1]])


def _cast(_: Draw, r: Row, found: Expr) -> Expr:
    return build.lt(build.cast(found, "i64?"), r[0])


def _argument(_: Draw, r: Row, found: Expr) -> Expr:
    return build.coalesce(found, r[2])


def _compared(_: Draw, r: Row, found: Expr) -> Expr:
    return build.ne(found, r[2])


def _body(_: Draw, r: Row, found: Expr) -> Expr:
    """A lambda that is called at once; the query knows nothing of its parameter."""
    callee = function("i64?", body=lambda p: build.or_(found, build.gt(p, lit(2, "i64"))))
    return called(callee, r[1])


def _called_with(_: Draw, r: Row, found: Expr) -> Expr:
    wanted = "bool?" if is_nullable(found.type) else "bool"
    return called(function(wanted, body=lambda p: build.or_(p, build.is_null(p))), found)


def _body_over_list(draw: Draw, r: Row, found: Expr) -> Expr:
    name = draw.rng.choice(["any_match", "all_match"])
    items = build.list_of(r[0], lit(2, "i64"), out="list<i64?>")
    callee = function("i64?", body=lambda p: build.or_(found, build.gt(p, lit(1, "i64"))))
    return over(name, items, callee, "bool?")


def _item(_: Draw, r: Row, found: Expr) -> Expr:
    wanted = "bool?" if is_nullable(found.type) else "bool"
    items = build.list_of(found, out=f"list<{wanted}>")
    return over("any_match", items, function(wanted, body=lambda p: p), "bool?")


def _needle(draw: Draw, r: Row, found: Expr) -> Expr:
    """The needle of a predicate, which is about booleans."""
    flags = draw.table("nb", "nn", "nz").select(lambda s: [s[2]])
    kind = draw.rng.randrange(3)
    if kind == 0:
        return build.in_(flags, found)
    return build.compare(found, ["EQ", "NE"][kind - 1], draw.rng.choice(["ANY", "ALL"]), flags)


def _window(part: str, as_relation: bool = False) -> Place:
    """A part of a window function, which is an expression or a column of the window relation."""

    def made(draw: Draw, make_: Make) -> R:
        rel = draw.rows()
        found = make_(rel.row, 0, 1)
        out = pb.Expression()
        node = out.window_function
        type_ = type_of("i64")
        argument = found if part == "argument" else rel.row[0]
        make.window_call("count:any", type_, [argument], node)
        node.bounds_type = 2
        for side in (node.lower_bound, node.upper_bound):
            side.unbounded.SetInParent()
        if part == "partition":
            node.partitions.append(found.message)
        if part == "order":
            node.sorts.append(pb.SortField(expr=found.message, direction=build.ASC))
            node.upper_bound.current_row.SetInParent()
        if part == "bound":
            _rows_before(node, rel.row, found)
        if as_relation:
            return make.window(rel, node)
        return rel.project(lambda _: [Expr(out, type_)])

    return made


def _rows_before(node: pb.Expression.WindowFunction, row: Row, found: Expr) -> None:
    """As many rows before this one as the boolean says."""
    node.bounds_type = 1
    for column in (row[0], row[1], row[2]):
        node.sorts.append(pb.SortField(expr=column.message, direction=build.ASC))
    offset = build.if_then((found, lit(1, "i64")), otherwise=lit(2, "i64"))
    make.bound(node.lower_bound, "preceding", offset)
    node.upper_bound.current_row.SetInParent()


INSIDE: dict[str, Place] = {
    "CASE": _condition,
    "CASE result": _somewhere(_result),
    "CASE else": _somewhere(_else),
    "switch match": _somewhere(_switch_match),
    "switch arm": _somewhere(_switch_arm),
    "switch else": _somewhere(_switch_else),
    "list value": _somewhere(_list_value),
    "list option": _somewhere(_list_option),
    "record list value": _somewhere(_record_value),
    "record list option": _somewhere(_record_option),
    "cast": _somewhere(_cast),
    "function argument": _somewhere(_argument),
    "comparison": _somewhere(_compared),
    "needle": _somewhere(_needle),
    "lambda body": _somewhere(_body),
    "lambda argument": _somewhere(_called_with),
    "lambda over a list": _somewhere(_body_over_list),
    "list item": _somewhere(_item),
    **{f"window {p}": _window(p) for p in ("argument", "partition", "order", "bound")},
    **{
        f"window relation {p}": _window(p, True)
        for p in ("argument", "partition", "order", "bound")
    },
}
