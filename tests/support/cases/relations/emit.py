"""Emit comes last, over the direct output; a relation's own expressions still see its input."""

from tests.support.build import (
    ASC,
    DESC,
    add,
    and_,
    count,
    eq,
    gt,
    lit,
    lt,
    set_,
    sum_,
    table,
    virtual,
)
from tests.support.cases import DEPT, EMP, T1, T2, L, case

EMP_COLUMNS = "id:i64 name:str? dept:i64? salary:i64?"

case(
    "emit/read_drop",
    "a read may drop columns",
    table("emp", EMP_COLUMNS, emit=[1]),
    "name",
    [("ann",), ("bob",), ("cid",), ("dan",), ("eve",), (None,)],
)
case(
    "emit/read_reorder_repeat",
    "a read may reorder and repeat columns",
    table("emp", EMP_COLUMNS, emit=[3, 0, 0]),
    "salary id again",
    [(100, 1, 1), (300, 2, 2), (200, 3, 3), (None, 4, 4), (200, 5, 5), (50, 6, 6)],
)
case(
    "emit/identity",
    "an emit that changes nothing",
    table("dept", "id:i64 name:str head:i64?", emit=[0, 1, 2]),
    "id name head",
    [(10, "ops", 2), (20, "dev", None), (30, "law", 5)],
)
case(
    "emit/filter",
    "the condition reads a column that the emit drops",
    EMP.filter(lambda r: eq(r[2], lit(10, "i64")), emit=[1, 0]),
    "name id",
    [("ann", 1), ("bob", 2)],
)
case(
    "emit/project",
    "expressions come after the input columns, and emit picks among all",
    EMP.project(lambda r: [add(r[3], lit(1, "i64"))], emit=[4, 0]),
    "more id",
    [(101, 1), (301, 2), (201, 3), (None, 4), (201, 5), (51, 6)],
)
case(
    "emit/project_repeats_expression",
    "one computed column, given out twice",
    DEPT.project(lambda r: [add(r[0], r[0])], emit=[3, 3, 1]),
    "a b name",
    [(20, 20, "ops"), (40, 40, "dev"), (60, 60, "law")],
)
case(
    "emit/aggregate",
    "a measure is dropped, the key comes last",
    EMP.aggregate(lambda r: [r[2]], lambda r: [count(), sum_(r[3])], emit=[2, 0]),
    "total dept",
    [(400, 10), (200, 20), (200, None), (50, 40)],
)
case(
    "emit/aggregate_drops_key",
    "dropping the key does not merge groups",
    EMP.aggregate(lambda r: [r[2]], lambda r: [count()], emit=[1]),
    "n",
    [(2,), (2,), (1,), (1,)],
)
case(
    "emit/sort",
    "sorted by columns that are not given out",
    EMP.sort(lambda r: [(r[3], DESC), (r[0], ASC)], emit=[1]),
    "name",
    [("bob",), ("cid",), ("eve",), ("ann",), (None,), ("dan",)],
    ordered=True,
)
case(
    "emit/fetch",
    "a fetch reorders",
    EMP.sort(lambda r: [(r[0], ASC)]).fetch(2, 1, emit=[1, 0]),
    "name id",
    [("bob", 2), ("cid", 3)],
    ordered=True,
)
case(
    "emit/join",
    "the condition counts left ++ right, the emit too",
    EMP.join(DEPT, "INNER", lambda r: eq(r[2], r[4]), emit=[5, 1]),
    "dept name",
    [("ops", "ann"), ("ops", "bob"), ("dev", "cid"), ("dev", "dan")],
)
case(
    "emit/join_semi",
    "a semi join's direct output is the left side alone",
    EMP.join(DEPT, "LEFT_SEMI", lambda r: eq(r[2], r[4]), emit=[1, 0]),
    "name id",
    [("ann", 1), ("bob", 2), ("cid", 3), ("dan", 4)],
)
case(
    "emit/join_drops_one_side",
    "columns of the right side only",
    L.join(DEPT, "INNER", lambda r: lt(r[0], lit(2, "i64")), emit=[3]),
    "name",
    [("ops",), ("dev",), ("law",)],
)
case(
    "emit/cross",
    "a cross product reorders and repeats",
    virtual("n:i32", (1,), (2,)).cross(virtual("s:str", ("a",)), emit=[1, 0, 1]),
    "s n again",
    [("a", 1, "a"), ("a", 2, "a")],
)
case(
    "emit/set",
    "a set operation compares whole rows, then drops",
    set_(
        "UNION_DISTINCT",
        virtual("a:i32 b:i32", (1, 1), (1, 2)),
        virtual("a:i32 b:i32", (1, 2), (2, 2)),
        emit=[1],
    ),
    "b",
    [(1,), (2,), (2,)],
)
case(
    "emit/set_all",
    "union all with reversed columns",
    set_(
        "UNION_ALL", virtual("a:i32 b:str", (1, "x")), virtual("a:i32 b:str", (1, "x")), emit=[1, 0]
    ),
    "b a",
    [("x", 1), ("x", 1)],
)
case(
    "emit/parent_counts_emitted",
    "the relation above counts the emitted columns",
    table("emp", EMP_COLUMNS, emit=[2, 0]).filter(lambda r: gt(r[1], lit(3, "i64"))),
    "dept id",
    [(20, 4), (None, 5), (40, 6)],
)
case(
    "emit/every_step",
    "three emits, one above the other",
    table("emp", EMP_COLUMNS, emit=[3, 2, 1])
    .filter(lambda r: eq(r[1], lit(10, "i64")), emit=[2, 0])
    .project(lambda r: [add(r[1], lit(1, "i64"))], emit=[2, 0]),
    "more name",
    [(101, "ann"), (301, "bob")],
)
case(
    "emit/repeat_then_group",
    "the same column twice as two keys",
    table("emp", EMP_COLUMNS, emit=[2, 2]).aggregate(lambda r: [r[0], r[1]], lambda _: [count()]),
    "a b n",
    [(10, 10, 2), (20, 20, 2), (None, None, 1), (40, 40, 1)],
)
case(
    "emit/no_columns",
    "an empty emit keeps the number of rows",
    table("emp", EMP_COLUMNS, emit=[]).aggregate(None, lambda _: [count()]),
    "n",
    [(6,)],
)
case(
    "emit/filter_then_repeat_in_sort",
    "sort on the second copy",
    set_("UNION_ALL", T1, T2)
    .filter(lambda r: and_(gt(r[0], lit(1, "i32")), lt(r[0], lit(4, "i32"))), emit=[0, 0])
    .sort(lambda r: [(r[1], DESC)]),
    "x y",
    [(3, 3), (2, 2), (2, 2), (2, 2)],
    ordered=True,
)
