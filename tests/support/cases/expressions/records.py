"""Lists of records (``multi_or_list``): the OR over the options of the AND of the equalities."""

from __future__ import annotations

from tests.support.build import add, extreme, lit, not_, record_one_of, scalar
from tests.support.cases import EMP, case

T, F, N = True, False, None


case(
    "in_list/records",
    "(dept, salary) = (10, 100) or (20, 200): a NULL makes an AND with FALSE FALSE, with TRUE NULL",
    EMP.select(
        lambda r: [
            r[0],
            record_one_of(
                [r[2], r[3]],
                [lit(10, "i64"), lit(100, "i64")],
                [lit(20, "i64"), lit(200, "i64")],
            ),
        ]
    ),
    "id x",
    # 4 is (20, NULL): FALSE OR NULL. 5 is (NULL, 200): FALSE OR NULL.
    [(1, T), (2, F), (3, T), (4, N), (5, N), (6, F)],
)
case(
    "in_list/records_with_null",
    "a NULL in an option equals nothing, not even NULL",
    EMP.select(
        lambda r: [
            r[0],
            record_one_of([r[2], r[3]], [lit(20, "i64"), lit(None, "i64?")]),
        ]
    ),
    "id x",
    [(1, F), (2, F), (3, N), (4, N), (5, N), (6, F)],
)
case(
    "in_list/not_records",
    "NOT keeps what is FALSE, so no row with a NULL that might match",
    EMP.filter(
        lambda r: not_(
            record_one_of(
                [r[2], r[3]],
                [lit(10, "i64"), lit(100, "i64")],
                [lit(20, "i64"), lit(200, "i64")],
            )
        )
    ).select(lambda r: [r[0]]),
    "id",
    [(2,), (6,)],
)
case(
    "in_list/records_of_columns",
    "options may be columns; 20 = dept AND salary = salary is NULL where the salary is",
    EMP.filter(
        lambda r: record_one_of(
            [lit(20, "i64"), add(r[3], lit(0, "i64"))], [r[2], r[3]], [lit(10, "i64"), r[3]]
        )
    ).select(lambda r: [r[0]]),
    "id",
    [(3,)],
)
case(
    "in_list/no_records",
    "without options it is FALSE, for NULL too",
    EMP.select(lambda r: [r[0], record_one_of([r[2], r[3]])]),
    "id x",
    [(i, F) for i in range(1, 7)],
)
case(
    "in_list/records_with_subquery",
    "a query in the value stands in the text once: it is a column first",
    EMP.filter(
        lambda r: record_one_of(
            [scalar(EMP.aggregate(None, lambda s: [extreme("max", s[3])])), r[2]],
            [r[3], lit(10, "i64")],
            [r[3], lit(20, "i64")],
        )
    ).select(lambda r: [r[0]]),
    "id",
    # The highest salary is 300, which bob of department 10 has.
    [(2,)],
)
