"""Outer references by anchor, and through shared subtrees; the rows are worked by hand.

departments: 1 100 | 2 50 | 3 10 | 4 100 | 5 NULL | 6 100 | 7 1000   (dept_id, budget_limit)
employees:   10·n in department n, for n from 1 to 7                (emp_id, dept_id, salary)
projects:    10·n + 1 in department n, for n from 1 to 7 but 4      (proj_id, dept_id, cost)
audit_records (entity_id amount): 10 99 | 11 10 | 20 49 | 21 50 | 30 5 | 31 9 | 40 1 | 50 1 | 51 1 | 60 1 | 60 2
| 70 500 | 71 500
"""

from tests.support.build import (
    DESC,
    Expr,
    R,
    anchored,
    and_,
    bound_reference,
    by_anchor,
    count,
    declares,
    eq,
    exists,
    gt,
    is_not_null,
    lateral_join,
    lit,
    lt,
    ne,
    reference,
    scalar,
    set_,
    sum_,
    table,
    virtual,
)
from tests.support.cases import case
from tests.support.plan_types import type_of

N = None
DEPARTMENTS = table("departments", "dept_id:i64 budget_limit:i32?")
EMPLOYEES = table("employees", "emp_id:i64 dept_id:i64 salary:i32")
PROJECTS = table("projects", "proj_id:i64 dept_id:i64 cost:i32")
AUDIT = table("audit_records", "record_id:i64 entity_id:i64 amount:i32")
TABLE_A = table("ta", "a:i64?")
TABLE_B = table("tb", "b:i64")
TABLE_C = table("tc", "c:i64")
KV = table("kv", "k:i64 v:i64")
CUSTOMERS = table("cust", "customer_id:i64 name:str")
ORDERS = table("orders", "order_id:i64 customer_id:i64 amount:i64?")


def outer(index: int, kind: str, steps: int = 1) -> Expr:
    """Refer to a field of a record around by counting."""
    made = by_anchor(1, index, type_of(kind))
    made.message.selection.outer_reference.steps_out = steps
    return made


# --- parameters: the draft that declares what a shared subtree takes, and binds it at each use ---

X = AUDIT.filter(lambda r: and_(eq(r[1], outer(0, "i64")), lt(r[2], outer(1, "i32?", 2))))
X_TAKES = [(0, 1, "i64"), (1, 2, "i32?")]


def n_of(rel: R) -> Expr:
    return scalar(rel.aggregate(None, lambda _: [count()]))


def records(ordinal: int, *bindings: Expr) -> R:
    return bound_reference(ordinal, X, *bindings)


def audited(rel: R) -> R:
    """The members of the outer department of which a record is below its limit."""
    return rel.filter(
        lambda r: and_(eq(r[1], outer(0, "i64")), exists(records(0, r[0], outer(1, "i32?"))))
    )


case(
    "outer/parameters",
    "two uses of one subtree bind different tables; the limit comes from two queries out",
    DEPARTMENTS.filter(lambda _: and_(exists(audited(EMPLOYEES)), exists(audited(PROJECTS)))),
    "dept_id budget_limit",
    [(1, 100), (3, 10), (7, 1000)],
    before=(X,),
    edit_json=declares({0: X_TAKES}),
)
case(
    "outer/parameters_below_aggregate",
    "the subtree is counted for each row of two tables",
    set_(
        "UNION_ALL",
        EMPLOYEES.project(lambda r: [n_of(records(0, r[0], r[2]))], emit=[0, 3]),
        PROJECTS.project(lambda r: [n_of(records(0, r[0], r[2]))], emit=[0, 3]),
    ),
    "id n",
    [
        *[(10, 1), (20, 1), (30, 1), (40, 1), (50, 1), (60, 2), (70, 1)],
        *[(11, 0), (21, 0), (31, 0), (51, 1), (61, 0), (71, 0)],
    ],
    before=(X,),
    edit_json=declares({0: X_TAKES}),
)
case(
    "outer/parameters_permuted",
    "the fields of the binding record stand in another order",
    virtual("lim:i32 ent:i64", (100, 10), (50, 21)).project(
        lambda r: [n_of(records(0, r[1], r[0]))], emit=[1, 2]
    ),
    "ent n",
    [(10, 1), (21, 0)],
    before=(X,),
    edit_json=declares({0: X_TAKES}),
)
PASSING = EMPLOYEES.filter(
    lambda r: and_(eq(r[1], outer(0, "i64")), exists(records(0, r[0], outer(1, "i32?"))))
)
case(
    "outer/parameters_passed_on",
    "a shared subtree binds a parameter of its own to another one's",
    DEPARTMENTS.project(lambda r: [n_of(bound_reference(1, PASSING, r[0], r[1]))], emit=[0, 2]),
    "dept_id n",
    [(1, 1), (2, 1), (3, 1), (4, 1), (5, 0), (6, 1), (7, 1)],
    before=(X, PASSING),
    edit_json=declares({0: X_TAKES, 1: [(0, 1, "i64"), (1, 1, "i32?")]}),
)
BY_ENTITY = AUDIT.filter(lambda r: eq(r[1], outer(0, "i64")))


def of_entity(factor: int, more: int, d: Expr) -> R:
    return bound_reference(0, BY_ENTITY, d, computed=(factor, more))


case(
    "outer/parameters_computed",
    "two uses in one subquery bind expressions",
    DEPARTMENTS.project(
        lambda r: [
            n_of(
                set_("UNION_ALL", of_entity(10, 0, r[0]), of_entity(10, 1, r[0])).filter(
                    lambda a: lt(a[2], outer(1, "i32?"))
                )
            )
        ],
        emit=[0, 2],
    ),
    "dept_id n",
    [(1, 2), (2, 1), (3, 2), (4, 1), (5, 0), (6, 2), (7, 2)],
    before=(BY_ENTITY,),
    edit_json=declares({0: [(0, 1, "i64")]}),
)

# --- anchors: a subtree refers to the record of the anchored relation wherever it stands ---


def larger(rel: R = TABLE_B) -> R:
    return rel.filter(lambda r: gt(r[0], by_anchor(7, 0, type_of("i64?"))))


def used_at_two_depths(op: str) -> R:
    """In the subquery itself, and in a subquery of that."""
    x = reference(0, larger())
    inner = TABLE_C.project(lambda _: [scalar(x)], emit=[1])
    return anchored(TABLE_A.project(lambda _: [scalar(set_(op, inner, x))]), 7)


ONLY_ONE = [(1, 5), (5, N), (7, N), (N, N)]
for name, op, rows in [
    ("minus", "MINUS_PRIMARY", [(1, N), (5, N), (7, N), (N, N)]),
    ("intersection", "INTERSECTION_MULTISET", ONLY_ONE),
    ("union", "UNION_DISTINCT", ONLY_ONE),
]:
    case(
        f"outer/shared_at_two_depths_{name}",
        "one subtree, read one and two subqueries below the record it refers to",
        used_at_two_depths(op),
        "a s",
        rows,
        before=(larger(),),
    )
NUMBERS = virtual("a:i64?", (0,), (1,), (2,), (3,), (N,))
B_123 = virtual("b:i64", (1,), (2,), (3,))
SUMMED = scalar(reference(0, larger(B_123)).aggregate(None, lambda r: [sum_(r[0])]))
case(
    "outer/shared_and_summed",
    "the sum of the shared rows, less the rows themselves",
    anchored(
        NUMBERS.project(
            lambda _: [
                scalar(
                    set_(
                        "MINUS_PRIMARY",
                        TABLE_C.project(lambda _: [SUMMED], emit=[1]),
                        reference(0, larger(B_123)),
                    )
                )
            ]
        ),
        7,
    ),
    "a s",
    [(0, 6), (1, 5), (2, N), (3, N), (N, N)],
    before=(larger(B_123),),
)


def ahead(anchor: int) -> Expr:
    return n_of(KV.filter(lambda r: gt(r[1], by_anchor(anchor, 1, type_of("i64")))))


case(
    "outer/anchor_on_the_host",
    "the host's emit does not change what its subquery sees",
    anchored(KV.project(lambda _: [ahead(7)], emit=[2, 0]), 7),
    "n k",
    [(0, 1), (2, 2), (1, 3)],
)
case(
    "outer/anchor_on_the_input",
    "the record of the host is its input's",
    anchored(KV, 7).project(lambda _: [ahead(7)], emit=[2, 0]),
    "n k",
    [(0, 1), (2, 2), (1, 3)],
)
case(
    "outer/anchor_on_a_join_side",
    "the right side's columns stand behind the left's in the record of the host",
    CUSTOMERS.join(
        anchored(KV, 7), "INNER", lambda r: and_(eq(r[0], r[2]), gt(ahead(7), lit(0, "i64")))
    ),
    "customer_id name k v",
    [(2, "b", 2, 10), (3, "c", 3, 20)],
)


def masked(anchor: int, *fields: int) -> Expr:
    """Pick some fields of a record around, as a struct."""
    made = by_anchor(anchor, 0, type_of("struct<i64,i64>"))
    made.message.selection.ClearField("direct_reference")
    select = made.message.selection.masked_reference.select
    for field in fields:
        select.struct_items.add().field = field
    return made


case(
    "outer/mask",
    "two fields of the outer record, as a struct, in the order of the mask",
    anchored(KV.project(lambda _: [scalar(TABLE_B.select(lambda _: [masked(7, 1, 0)]))]), 7),
    "k v both(v,k)",
    [(1, 30, [30, 1]), (2, 10, [10, 2]), (3, 20, [20, 3])],
)

# --- lateral joins ---


def own_orders() -> R:
    return ORDERS.filter(lambda r: eq(r[1], by_anchor(5, 0, type_of("i64"))))


BOTH = "customer_id name order_id customer amount"
for name, kind, columns, rows in [
    (
        "left",
        "LEFT",
        BOTH,
        [(1, "a", 10, 1, 5), (1, "a", 11, 1, 7), (2, "b", N, N, N), (3, "c", 12, 3, N)],
    ),
    ("inner", "INNER", BOTH, [(1, "a", 10, 1, 5), (1, "a", 11, 1, 7), (3, "c", 12, 3, N)]),
    ("left_semi", "LEFT_SEMI", "customer_id name", [(1, "a"), (3, "c")]),
    ("left_anti", "LEFT_ANTI", "customer_id name", [(2, "b")]),
    (
        "left_mark",
        "LEFT_MARK",
        "customer_id name m",
        [(1, "a", True), (2, "b", False), (3, "c", True)],
    ),
]:
    case(
        f"lateral/{name}",
        "the orders of each customer",
        lateral_join(CUSTOMERS, own_orders(), kind, anchor=5),
        columns,
        rows,
    )


def latest() -> R:
    return own_orders().sort(lambda r: [(r[0], 3)]).fetch(1)


case(
    "lateral/left_single",
    "one row each: the latest order",
    lateral_join(CUSTOMERS, latest(), "LEFT_SINGLE", anchor=5),
    BOTH,
    [(1, "a", 11, 1, 7), (2, "b", N, N, N), (3, "c", 12, 3, N)],
)
case(
    "lateral/top_one_each",
    "the latest order of each customer who has one",
    lateral_join(CUSTOMERS, latest(), "INNER", anchor=5),
    BOTH,
    [(1, "a", 11, 1, 7), (3, "c", 12, 3, N)],
)
case(
    "lateral/sorted_by_what_is_not_returned",
    "the amount of the latest order: Spark would forget the order of a key that it does not return",
    lateral_join(CUSTOMERS, latest().select(lambda r: [r[2]]), "INNER", anchor=5),
    "customer_id name amount",
    [(1, "a", 7), (3, "c", N)],
)
case(
    "lateral/on_both_sides",
    "the condition of a mark sees both sides; an amount that is NULL may be larger",
    lateral_join(CUSTOMERS, own_orders(), "LEFT_MARK", lambda r: gt(r[4], lit(6, "i64")), anchor=5),
    "customer_id name m",
    [(1, "a", True), (2, "b", False), (3, "c", N)],
)


def customer() -> Expr:
    return by_anchor(5, 0, type_of("i64"))


case(
    "lateral/first_of_sorted",
    "the largest v among sorted pairs, for customers but the second; a right join makes it a query over all customers",
    lateral_join(
        CUSTOMERS,
        virtual("n:i64", (1,)).join(
            KV.sort(lambda r: [(r[1], DESC)])
            .filter(lambda _: ne(customer(), lit(2, "i64")))
            .fetch(1),
            "RIGHT",
            lambda r: eq(r[0], customer()),
        ),
        "INNER",
        anchor=5,
    ),
    "customer_id name n k v",
    [(1, "a", 1, 1, 30), (3, "c", N, 1, 30)],
)


def pairs_of_orders(condition: Expr) -> R:
    """Orders with the pairs of their customer, if the condition of the left join is TRUE."""
    pairs = KV.filter(lambda r: eq(r[0], by_anchor(6, 1, type_of("i64"))))
    return lateral_join(ORDERS, pairs, "LEFT", lambda _: condition, anchor=6)


case(
    "lateral/on_what_is_outside",
    "the condition of a left join in a subquery is about the customer around: it becomes a column of the orders",
    CUSTOMERS.filter(
        lambda _: exists(
            pairs_of_orders(gt(outer(0, "i64"), lit(1, "i64"))).filter(lambda r: is_not_null(r[3]))
        )
    ),
    "customer_id name",
    [(2, "b"), (3, "c")],
)
case(
    "lateral/on_the_row_around",
    "the condition of the inner lateral join is about the outer one's left row",
    lateral_join(
        CUSTOMERS,
        pairs_of_orders(gt(customer(), lit(2, "i64"))).select(lambda r: [r[0], r[3]]),
        "INNER",
        anchor=5,
    ),
    "customer_id name order_id k",
    [
        *((1, "a", order, N) for order in (10, 11, 12)),
        *((2, "b", order, N) for order in (10, 11, 12)),
        *((3, "c", order, k) for order, k in ((10, 1), (11, 1), (12, 3))),
    ],
)
case(
    "lateral/nested",
    "the inner lateral join refers to the outer one's left row as well as to its own",
    lateral_join(
        CUSTOMERS,
        lateral_join(
            own_orders(),
            KV.filter(
                lambda r: and_(
                    eq(r[0], by_anchor(5, 0, type_of("i64"))),
                    gt(r[1], by_anchor(6, 2, type_of("i64?"))),
                )
            ),
            "LEFT",
            anchor=6,
        ),
        "INNER",
        anchor=5,
    ),
    BOTH + " k v",
    [(1, "a", 10, 1, 5, 1, 30), (1, "a", 11, 1, 7, 1, 30), (3, "c", 12, 3, N, N, N)],
)
