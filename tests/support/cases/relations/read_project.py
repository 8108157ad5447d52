"""Reading (filter before mask, columns by name, virtual tables), filtering, projecting."""

from decimal import Decimal

from tests.support.build import (
    add,
    cast,
    eq,
    gt,
    gte,
    is_null,
    lit,
    multiply,
    subtract,
    table,
    upper,
    virtual,
)
from tests.support.cases import DEPT, EMP, case

EMP_COLUMNS = "id:i64 name:str? dept:i64? salary:i64?"

case(
    "read/whole_table",
    "a read and nothing else",
    DEPT,
    "id name head",
    [(10, "ops", 2), (20, "dev", None), (30, "law", 5)],
)
case(
    "read/filter",
    "the read's own filter",
    table("emp", EMP_COLUMNS, filter=lambda r: gt(r[3], lit(100, "i64"))),
    "id name dept salary",
    [(2, "bob", 10, 300), (3, "cid", 20, 200), (5, "eve", None, 200)],
)
case(
    "read/filter_before_mask",
    "the filter counts the columns of the base schema, not of the mask",
    table("emp", EMP_COLUMNS, filter=lambda r: gte(r[3], lit(200, "i64")), mask=[1]),
    "name",
    [("bob",), ("cid",), ("eve",)],
)
case(
    "read/mask_order",
    "a mask gives its columns in the order it lists them",
    table("dept", "id:i64 name:str head:i64?", mask=[2, 0]),
    "head id",
    [(2, 10), (None, 20), (5, 30)],
)
case(
    "read/mask_then_emit",
    "the emit counts the masked columns",
    table("dept", "id:i64 name:str head:i64?", mask=[2, 1], emit=[1]),
    "name",
    [("ops",), ("dev",), ("law",)],
)
case(
    "read/columns_by_name",
    "a base schema that is a part of the table, in another order",
    table("emp", "salary:i64? id:i64"),
    "salary id",
    [(100, 1), (300, 2), (200, 3), (None, 4), (200, 5), (50, 6)],
)
case(
    "read/reserved_words",
    "a table and columns named like keywords",
    table("order", "select:i64? from:str? Where:i32?", filter=lambda r: is_null(r[2])),
    "group by having",
    [(2, "y", None)],
)
case(
    "read/two_roots_names",
    "the root names the columns, whatever the table calls them; twice the same is legal",
    table("dept", "id:i64 head:i64?"),
    "x x",
    [(10, 2), (20, None), (30, 5)],
)
case(
    "read/virtual",
    "rows in the plan, columns of the declared types",
    virtual(
        "a:i8 b:i64? c:dec<10,4>? d:str?",
        (1, 2, "1.5", "x"),
        (-128, None, None, None),
        (127, 9, "-2", ""),
    ),
    "a b c d",
    [
        (1, 2, Decimal("1.5000"), "x"),
        (-128, None, None, None),
        (127, 9, Decimal("-2.0000"), ""),
    ],
)
case(
    "read/virtual_no_rows",
    "a typed table without rows",
    virtual("a:i32 b:str?"),
    "a b",
    [],
)
case(
    "read/virtual_all_null",
    "a column of NULLs keeps its type",
    virtual("a:i16? b:dec<5,2>?", (None, None), (None, None)),
    "a b",
    [(None, None), (None, None)],
)
case(
    "read/virtual_expressions",
    "a cell may be computed",
    virtual(
        "a:i32 b:str",
        (add(lit(1, "i32"), lit(2, "i32")), upper(lit("x", "str"))),
        (4, cast(lit(5, "i32"), "str")),
    ),
    "a b",
    [(3, "X"), (4, "5")],
)
case(
    "read/virtual_filter_mask",
    "filter and mask on rows in the plan",
    virtual(
        "a:i32 b:str?",
        (1, "x"),
        (2, None),
        (3, "z"),
        filter=lambda r: gt(r[0], lit(1, "i32")),
        mask=[1],
    ),
    "b",
    [(None,), ("z",)],
)
case(
    "read/duplicate_rows",
    "equal rows stay apart",
    virtual("a:i32?", (1,), (1,), (None,), (None,)),
    "a",
    [(1,), (1,), (None,), (None,)],
)
case(
    "project/appends",
    "the output is the input's columns, then the expressions",
    DEPT.project(lambda r: [multiply(r[0], lit(2, "i64")), is_null(r[2])]),
    "id name head twice headless",
    [(10, "ops", 2, 20, False), (20, "dev", None, 40, True), (30, "law", 5, 60, False)],
)
case(
    "project/chain",
    "a second projection uses the first one's column",
    EMP.project(lambda r: [add(r[3], lit(1, "i64"))]).project(
        lambda r: [multiply(r[4], lit(2, "i64"))], emit=[0, 5]
    ),
    "id x",
    [(1, 202), (2, 602), (3, 402), (4, None), (5, 402), (6, 102)],
)
case(
    "project/literals_only",
    "constants, once per row",
    DEPT.select(lambda _: [lit(7, "i32"), lit("k", "str")]),
    "seven k",
    [(7, "k"), (7, "k"), (7, "k")],
)
case(
    "project/parentheses",
    "a - (b - c), (a + b) * c and a - b - c keep their shape",
    virtual("a:i32 b:i32 c:i32", (10, 4, 3)).select(
        lambda r: [
            subtract(r[0], subtract(r[1], r[2])),
            multiply(add(r[0], r[1]), r[2]),
            subtract(subtract(r[0], r[1]), r[2]),
            add(r[0], multiply(r[1], r[2])),
        ]
    ),
    "w x y z",
    [(9, 42, 3, 22)],
)
case(
    "project/over_distinct",
    "computed from the distinct rows, not before them",
    EMP.select(lambda r: [r[2]])
    .aggregate(lambda r: [r[0]])
    .project(lambda r: [add(r[0], lit(1, "i64"))]),
    "dept next",
    [(10, 11), (20, 21), (None, None), (40, 41)],
)
case(
    "filter/null_is_not_true",
    "a condition that is NULL drops the row",
    EMP.filter(lambda r: gt(r[3], lit(150, "i64"))).select(lambda r: [r[0]]),
    "id",
    [(2,), (3,), (5,)],
)
case(
    "filter/on_filter",
    "two filters, one above the other",
    EMP.filter(lambda r: gt(r[3], lit(99, "i64")))
    .filter(lambda r: eq(r[2], lit(10, "i64")))
    .select(lambda r: [r[0]]),
    "id",
    [(1,), (2,)],
)
case(
    "filter/on_computed_column",
    "a filter over a projection's expression",
    EMP.project(lambda r: [add(r[0], r[3])])
    .filter(lambda r: gt(r[4], lit(202, "i64")))
    .select(lambda r: [r[0], r[4]]),
    "id sum",
    [(2, 302), (3, 203), (5, 205)],
)
case(
    "filter/false",
    "a literal condition that is false",
    DEPT.filter(lambda _: lit(False, "bool")),
    "id name head",
    [],
)
case(
    "filter/null_literal",
    "a literal condition that is NULL",
    DEPT.filter(lambda _: lit(None, "bool?")),
    "id name head",
    [],
)
