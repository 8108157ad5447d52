"""Nested values: references into structs, lists and maps, masks of them, literals and expressions that make them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import substrait.proto as pb

from tests.support.build import (
    Expr,
    Row,
    Select,
    add,
    call,
    cast,
    count,
    eq,
    gt,
    is_null,
    list_of,
    lit,
    map_of,
    mask_list,
    mask_map,
    mask_struct,
    part,
    scalar,
    set_,
    struct_of,
    subtract,
    table,
    virtual,
)
from tests.support.cases import case
from tests.support.plan_types import type_of

GEO = "struct<fp64?,fp64?>?"
ADDR = f"struct<str?,i32?,{GEO}>?"
CALL = "struct<str?,i32?>?"
COLUMNS = (
    f"id:i64 addr(city,zip,geo,lat,lon):{ADDR} tags:list<str?>? "
    f"calls(who,minutes):list<{CALL}>? prices:map<str,i32?>?"
)
PEOPLE = table("people", COLUMNS)

case(
    "nested/struct_field",
    "fields by ordinal, written by the names of the base schema; NULL inside NULL",
    PEOPLE.select(
        lambda r: [r[0], part(r[1], 0, out="str?"), part(r[1], 2, 1, out="fp64?")],
    ),
    "id city lon",
    [(1, "Oslo", 10.5), (2, "Rome", None), (3, None, None), (4, None, None)],
)
case(
    "nested/struct_field_in_filter_and_order",
    "a field of a struct is a value like any other",
    PEOPLE.filter(lambda r: gt(part(r[1], 1, out="i32?"), lit(5, "i32")))
    .select(lambda r: [r[0], part(r[1], 1, out="i32?")])
    .sort(lambda r: [(r[1], 4)]),
    "id zip",
    [(4, 40), (1, 10)],
    ordered=True,
)
case(
    "nested/struct_column_named_like_the_table",
    "people.id is a column of the table, people.people.id a field of its column people",
    table("people", "id:i64 people(id):struct<i32?>?").select(
        lambda r: [r[0], part(r[1], 0, out="i32?")]
    ),
    "a b",
    [(1, 100), (2, 200), (3, None), (4, None)],
)
case(
    "nested/list_element",
    "lists count from 0, or back from the end; there is NULL beyond either",
    PEOPLE.select(
        lambda r: [
            r[0],
            part(r[2], [0], out="str?"),
            part(r[2], [2], out="str?"),
            part(r[2], [-1], out="str?"),
            part(r[2], [-3], out="str?"),
        ],
    ),
    "id first third last before",
    [
        (1, "a", "c", "c", "a"),
        (2, None, None, None, None),
        (3, None, None, None, None),
        (4, "z", None, "z", None),
    ],
)
case(
    "nested/list_of_structs",
    "a field of an element",
    PEOPLE.select(
        lambda r: [
            r[0],
            part(r[3], [0], 0, out="str?"),
            part(r[3], [1], 1, out="i32?"),
            part(r[3], [-1], 1, out="i32?"),
        ],
    ),
    "id first second_minutes last_minutes",
    [(1, "ann", None, 7), (2, "cid", None, None), (3, None, None, None), (4, None, None, None)],
)
case(
    "nested/map_key",
    "the value of a key, NULL where the map has none",
    PEOPLE.select(
        lambda r: [
            r[0],
            part(r[4], lit("EUR", "str"), out="i32?"),
            part(r[4], lit("USD", "str"), out="i32?"),
        ],
    ),
    "id eur usd",
    [(1, 3, 4), (2, None, 9), (3, None, None), (4, None, None)],
)
case(
    "nested/whole_values",
    "structs under the names of the root, inside lists too",
    PEOPLE.project(lambda r: [], emit=[0, 1, 3]),
    "id where(town,code,at,x,y) talks(peer,length)",
    [
        (1, ("Oslo", 10, (59.5, 10.5)), [("ann", 5), None, ("bob", 7)]),
        (2, ("Rome", None, None), [("cid", None)]),
        (3, None, None),
        (4, (None, 40, (1.0, None)), []),
    ],
)
case(
    "nested/same_names",
    "no cast where the root asks for the names that are there",
    PEOPLE.project(lambda r: [], emit=[1]),
    "addr(city,zip,geo,lat,lon)",
    [
        (("Oslo", 10, (59.5, 10.5)),),
        (("Rome", None, None),),
        (None,),
        ((None, 40, (1.0, None)),),
    ],
)
case(
    "nested/through_a_derived_table",
    "the names of a struct travel through a subquery",
    PEOPLE.sort(lambda r: [(r[0], 1)])
    .fetch(2)
    .filter(lambda r: is_null(part(r[1], 2, out=GEO)))
    .select(lambda r: [part(r[1], 0, out="str?")]),
    "city",
    [("Rome",)],
)
case(
    "nested/union_of_differently_named_structs",
    "structs of one type under different names",
    set_(
        "UNION_ALL",
        PEOPLE.select(lambda r: [part(r[1], 2, out=GEO)]),
        virtual(f"a:{GEO} b:i32", ((1.5, None), 1)).select(lambda r: [r[0]]),
    ).select(lambda r: [part(r[0], 0, out="fp64?")]),
    "lat",
    [(59.5,), (None,), (None,), (1.0,), (1.5,)],
)
case(
    "nested/union_of_the_same_struct",
    "what both inputs call their fields is what the union does",
    set_(
        "UNION_ALL",
        PEOPLE.select(lambda r: [part(r[1], 2, out=GEO)]),
        PEOPLE.select(lambda r: [part(r[1], 2, out=GEO)]),
    )
    .filter(lambda r: gt(part(r[0], 0, out="fp64?"), lit(2.0, "fp64")))
    .select(lambda r: [part(r[0], 1, out="fp64?")]),
    "lon",
    [(10.5,), (10.5,)],
)
case(
    "nested/group_by_struct",
    "equal structs are one group, NULLs in them too",
    PEOPLE.aggregate(lambda r: [part(r[1], 2, out=GEO)], lambda r: [count()]),
    "geo(lat,lon) n",
    [((59.5, 10.5), 1), (None, 2), ((1.0, None), 1)],
)
case(
    "nested/equal_structs",
    "a struct of the table against one that the plan makes",
    PEOPLE.filter(
        lambda r: eq(part(r[1], 2, out=GEO), struct_of(lit(59.5, "fp64"), lit(10.5, "fp64")))
    ).select(lambda r: [r[0]]),
    "id",
    [(1,)],
)
case(
    "nested/made_of_expressions",
    "structs, lists and maps of expressions, everything of its declared type",
    PEOPLE.filter(lambda r: gt(lit(3, "i64"), r[0])).select(
        lambda r: [
            struct_of(r[0], lit(7, "i16"), part(r[1], 0, out="str?")),
            list_of(r[0], add(r[0], lit(1, "i64")), out="list<i64>"),
            map_of(
                (lit("id", "str"), r[0]), (lit("one", "str"), lit(1, "i64")), out="map<str,i64>"
            ),
        ],
    ),
    "s(a,b,c) l m",
    [
        ((1, 7, "Oslo"), [1, 2], {"id": 1, "one": 1}),
        ((2, 7, "Rome"), [2, 3], {"id": 2, "one": 1}),
    ],
)
case(
    "nested/part_of_a_made_value",
    "references into values that are made on the spot",
    PEOPLE.select(
        lambda r: [
            r[0],
            part(struct_of(r[0], add(r[0], lit(1, "i64"))), 1, out="i64"),
            part(list_of(r[0], lit(9, "i64"), out="list<i64>"), [1], out="i64?"),
            part(list_of(struct_of(r[0]), out="list<struct<i64>>"), [0], 0, out="i64?"),
        ]
    ),
    "id next nine self",
    [(1, 2, 9, 1), (2, 3, 9, 2), (3, 4, 9, 3), (4, 5, 9, 4)],
)
case(
    "nested/literals",
    "literals of every nested kind, empty ones and NULLs among them",
    virtual(
        f"i:i32 s(a,b):struct<i8,list<i64?>> e:struct<> l:list<dec<5,2>?> el:list<i16> "
        f"m:map<i64,str?> em:map<str,i8> n(x,y):{GEO}",
        (
            1,
            (1, [2, None]),
            (),
            ["1.50", None, "2"],
            [],
            {1: "x", 2: None},
            {},
            None,
        ),
    ).project(lambda r: [], emit=[0, 1, 3, 4, 5, 6, 7]),
    "i s(a,b) l el m em n(x,y)",
    [
        (
            1,
            (1, (2, None)),
            (Decimal("1.50"), None, Decimal("2.00")),
            (),
            {1: "x", 2: None},
            {},
            None,
        )
    ],
)
case(
    "nested/virtual_single_struct",
    "rows of one struct, which VALUES would take apart",
    virtual("s(a,b):struct<i32,str?>", ((1, "x"),), ((2, None),)),
    "s(a,b)",
    [((1, "x"),), ((2, None),)],
)
case(
    "nested/virtual_structs",
    "rows with a struct among other columns",
    virtual("id:i32 s(a,b):struct<i32,str?>?", (1, (1, "x")), (2, None)),
    "id s(a,b)",
    [(1, (1, "x")), (2, None)],
)
case(
    "read/virtual_subqueries",
    "cells that VALUES does not take",
    virtual(
        "a:i32 b:i64?",
        (1, scalar(PEOPLE.aggregate(None, lambda r: [count()]))),
        (2, None),
    ),
    "a b",
    [(1, 4), (2, None)],
)
case(
    "read/virtual_duplicate_names",
    "two columns of one name",
    virtual("a:i32 a:i32 A:i32", (1, 2, 3), (4, 5, 6), emit=[2, 0]),
    "x y",
    [(3, 1), (6, 4)],
)
case(
    "read/virtual_no_columns",
    "rows without columns are still rows",
    virtual("", (), (), ()).aggregate(None, lambda r: [count()]),
    "n",
    [(3,)],
)
case(
    "read/virtual_no_columns_no_rows",
    "neither rows nor columns",
    virtual("").aggregate(None, lambda r: [count()]),
    "n",
    [(0,)],
)
case(
    "read/virtual_no_columns_crossed",
    "three rows without columns multiply by three",
    virtual("", (), (), ()).cross(virtual("a:i32", (1,), (2,))),
    "a",
    [(1,), (2,), (1,), (2,), (1,), (2,)],
)
case(
    "emit/nothing",
    "an emit of no columns keeps the rows",
    PEOPLE.filter(lambda r: gt(r[0], lit(1, "i64")), emit=[]).aggregate(None, lambda r: [count()]),
    "n",
    [(3,)],
)
case(
    "emit/nothing_crossed",
    "a side without columns multiplies the other",
    table("dept", "id:i64", emit=[]).cross(virtual("a:i32", (1,), (2,))),
    "a",
    [(1,), (2,), (1,), (2,), (1,), (2,)],
)
case(
    "emit/nothing_unioned",
    "rows without columns put together",
    set_(
        "UNION_ALL", table("dept", "id:i64", emit=[]), PEOPLE.project(lambda r: [], emit=[])
    ).project(lambda r: [lit(5, "i32")]),
    "five",
    [(5,)] * 7,
)
case(
    "emit/nothing_under_limit",
    "a limit over rows without columns",
    PEOPLE.project(lambda r: [], emit=[]).fetch(2).project(lambda r: [lit("x", "str")]),
    "x",
    [("x",)] * 2,
)
case(
    "emit/nothing_of_an_aggregate",
    "a group is a row, also where no column of it is left",
    PEOPLE.aggregate(lambda r: [part(r[1], 2, out=GEO)], None, emit=[]).aggregate(
        None, lambda r: [count()]
    ),
    "n",
    [(3,)],
)
case(
    "read/mask_nested_struct",
    "parts of a struct in listed order; NULL stays NULL",
    table(
        "people",
        COLUMNS,
        mask=[(1, mask_struct((2, mask_struct(1)), 0)), 0],
        out_types="struct<struct<fp64?>?,str?>? i64",
    ),
    "addr(geo,lon,city) id",
    [
        (((10.5,), "Oslo"), 1),
        ((None, "Rome"), 2),
        (None, 3),
        (((None,), None), 4),
    ],
)
case(
    "read/mask_list_items",
    "elements in listed order, NULL where there is none, in a list still",
    table("people", COLUMNS, mask=[0, (2, mask_list(1, 0))], out_types="i64 list<str?>?"),
    "id tags",
    [(1, ("b", "a")), (2, (None, None)), (3, None), (4, (None, "z"))],
)
case(
    "read/mask_list_slices",
    "from start up to end, without it",
    table("people", COLUMNS, mask=[0, (2, mask_list(slice(1, 3)))], out_types="i64 list<str?>?"),
    "id tags",
    [(1, ("b", "c")), (2, ()), (3, None), (4, ())],
)
case(
    "read/mask_list_slices_from_the_end",
    "both ends of a slice may count from the end",
    table(
        "people", COLUMNS, mask=[0, (2, mask_list(slice(-2, -1), 0))], out_types="i64 list<str?>?"
    ),
    "id tags",
    [(1, ("b", "a")), (2, (None,)), (3, None), (4, ("z",))],
)
case(
    "read/mask_inside_a_list",
    "the mask of each element; an element that is NULL stays NULL",
    table(
        "people",
        COLUMNS,
        mask=[0, (3, mask_list(slice(0, 9), child=mask_struct(1)))],
        out_types="i64 list<struct<i32?>?>?",
    ),
    "id calls(m)",
    [(1, ((5,), None, (7,))), (2, ((None,),)), (3, None), (4, ())],
)
case(
    "read/mask_map_key",
    "the entry of a key is a map of one",
    table("people", COLUMNS, mask=[0, (4, mask_map("USD"))], out_types="i64 map<str,i32?>?"),
    "id prices",
    [(1, {"USD": 4}), (2, {"USD": 9}), (3, None), (4, {})],
)
case(
    "read/best_effort_filter",
    "the specification's own example counts on the best-effort filter being applied",
    table(
        "emp",
        "id:i64 name:str? dept:i64? salary:i64?",
        filter=lambda r: gt(r[3], lit(100, "i64")),
        best_effort=lambda r: eq(r[2], lit(10, "i64")),
    ),
    "id name dept salary",
    [(2, "bob", 10, 300)],
)
case(
    "read/best_effort_filter_that_may_fail",
    "a best-effort filter that would fail in a row which the filter drops is passed over",
    table(
        "emp",
        "id:i64 name:str? dept:i64? salary:i64?",
        filter=lambda r: gt(r[0], lit(4, "i64")),
        best_effort=lambda r: gt(
            call(
                "arithmetic",
                "divide:i64_i64",
                "i64",
                lit(100, "i64"),
                subtract(r[0], lit(4, "i64")),
            ),
            lit(0, "i64"),
        ),
    ),
    "id name dept salary",
    [(5, "eve", None, 200), (6, None, 40, 50)],
)


def _direct(tree: dict[str, Any]) -> None:
    tree["relations"][0]["root"]["input"]["read"]["common"] = {"direct": {}}


def _bare(tree: dict[str, Any]) -> None:
    entry = tree["relations"][0]
    entry["rel"] = entry.pop("root")["input"]


def masked(columns: Row, select: Select, out: str) -> Expr:
    """A reference to the record with parts of it left out."""
    message = pb.Expression()
    message.selection.root_reference.SetInParent()
    message.selection.masked_reference.select.CopyFrom(select.struct)
    return Expr(message, type_of(out))


case(
    "emit/direct",
    "an explicit emit of everything",
    table("dept", "id:i64"),
    "id",
    [(10,), (20,), (30,)],
    edit_json=_direct,
)
case(
    "roots/bare_relation",
    "a plan of relations without a root has the names of its columns",
    table("dept", "id:i64 name:str"),
    "id name",
    [(10, "ops"), (20, "dev"), (30, "law")],
    edit_json=_bare,
)
case(
    "nested/masked_reference",
    "a part of the record as a struct",
    PEOPLE.select(
        lambda r: [masked(r, mask_struct(0, (1, mask_struct(1))), "struct<i64,struct<i32?>?>")]
    ),
    "s(id,addr,zip)",
    [((1, (10,)),), ((2, (None,)),), ((3, None),), ((4, (40,)),)],
)
case(
    "nested/mask_of_elements",
    "the parts of an element in listed order",
    table(
        "people",
        COLUMNS,
        mask=[0, (3, mask_list(0, child=mask_struct(1, 0)))],
        out_types="i64 list<struct<i32?,str?>?>?",
    ),
    "id calls(minutes,who)",
    [(1, ((5, "ann"),)), (2, ((None, "cid"),)), (3, None), (4, (None,))],
)
case(
    "nested/in_a_correlated_subquery",
    "a field of a struct of the outer query",
    PEOPLE.select(
        lambda r: [
            r[0],
            scalar(
                table("dept", "id:i64")
                .filter(lambda d: gt(d[0], part(r.outer(0), out="i64")))
                .aggregate(None, lambda d: [count()])
            ),
            scalar(
                table("dept", "id:i64 head:i64?")
                .filter(lambda d: eq(cast(d[0], "i32"), part(r.outer(1), 1, out="i32?")))
                .aggregate(None, lambda d: [count()])
            ),
        ]
    ),
    "id above same_zip",
    [(1, 3, 1), (2, 3, 0), (3, 3, 0), (4, 3, 0)],
)
