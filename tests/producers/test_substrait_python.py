"""Plans made at test time by substrait-python's data frames; DuckDB runs the same query over the same tables.

Its plans have what no engine writes: lateral joins, mark and single joins, outer references by anchors, set
comparisons, UNIQUE, ties, shared subtrees, lambdas, ExpandRel.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import substrait.dataframe as sub

import substrait_sql
from tests.support import rows, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

DAY = dt.date(2024, 2, 29)
TABLES = {
    "t": pa.table(
        {
            "id": pa.array([1, 2, 3, 4, 5, 5, None], pa.int64()),
            "g": pa.array(["a", "a", "b", None, "b", "b", ""], pa.string()),
            "x": pa.array([1, 2, None, -3, 2, 2, 0], pa.int32()),
            "y": pa.array([0.5, None, 2.5, 1.0, 0.5, 0.5, -1.0], pa.float64()),
            "d": pa.array([DAY, None, DAY, dt.date(1969, 12, 31), DAY, DAY, DAY], pa.date32()),
            "b": pa.array([True, False, None, True, False, False, True], pa.bool_()),
        }
    ),
    "u": pa.table(
        {
            "k": pa.array([1, 1, 3, 5, None, 7], pa.int64()),
            "v": pa.array(["a", "b", "b", None, "a", "c"], pa.string()),
            "w": pa.array([0.5, 1.5, None, 0.25, 2.0, 9.0], pa.float64()),
        }
    ),
    "none": pa.table(
        {
            "k": pa.array([], pa.int64()),
            "v": pa.array([], pa.string()),
            "w": pa.array([], pa.float64()),
        }
    ),
    "lists": pa.table(
        {
            "id": pa.array([1, 2, 3, 4], pa.int64()),
            "xs": pa.array([[1, 2, None], [], None, [5]], pa.list_(pa.int64())),
        }
    ),
}
T = sub.read_named_table(
    "t",
    {"id": sub.i64, "g": sub.string, "x": sub.i32, "y": sub.fp64, "d": sub.date, "b": sub.boolean},
)
U = sub.read_named_table("u", {"k": sub.i64, "v": sub.string, "w": sub.fp64})
NONE = sub.read_named_table("none", {"k": sub.i64, "v": sub.string, "w": sub.fp64})
LISTS = sub.read_named_table("lists", {"id": sub.i64, "xs": lambda: sub.list_(sub.i64())})
c, f, outer = sub.col, sub.f, sub.outer
ON = c("id") == c("k")
SUM = f.sum(c("x")).alias("s")
OF_ROW = U.filter(c("k") == outer("id"))


def _shared(made: Callable[[Any], Any], frame: Any) -> Any:
    return made(frame.cache())


CASES: dict[str, tuple[Any, str]] = {
    "columns": (
        T.with_columns(z=c("x") + 1, q=c("y") / 2, m=c("x") % 2).drop("d", "b"),
        "SELECT id, g, x, y, x + 1, y / 2, x % 2 FROM t",
    ),
    "case": (
        T.select(
            "id",
            sub.when(c("x") > 0)
            .then("more")
            .when(c("x") < 0)
            .then("less")
            .otherwise("zero")
            .alias("sign"),
        ),
        "SELECT id, CASE WHEN x > 0 THEN 'more' WHEN x < 0 THEN 'less' ELSE 'zero' END FROM t",
    ),
    "switch_of_wider_keys": (
        T.select(
            "id", c("x").switch({1: "one", -3: "less", 3000000000: "big"}, "other").alias("word")
        ),
        "SELECT id, CASE x WHEN 1 THEN 'one' WHEN -3 THEN 'less' WHEN 3000000000 THEN 'big' ELSE 'other' END FROM t",
    ),
    "tests": (
        T.filter(~(c("b") ^ (c("x") > 1)) | c("g").is_in(["", "b"])).select(
            "id", c("g").is_null().alias("n")
        ),
        "SELECT id, g IS NULL FROM t WHERE NOT (b <> (x > 1)) OR g IN ('', 'b')",
    ),
    "distinct_from": (
        T.select(
            c("g").is_distinct_from("a").alias("p"),
            c("x").is_not_distinct_from(sub.lit(None, sub.i32)).alias("q"),
        ),
        "SELECT g IS DISTINCT FROM 'a', x IS NOT DISTINCT FROM NULL FROM t",
    ),
    "sorted": (
        T.sort(
            "g", "y", "id", descending=[True, False, True], nulls_last=[True, False, True]
        ).limit(4, offset=1),
        "SELECT * FROM t ORDER BY g DESC NULLS LAST, y NULLS FIRST, id DESC NULLS LAST LIMIT 4 OFFSET 1",
    ),
    "ties": (
        T.top_n(3, "y", with_ties=True).select("id", "y"),
        "SELECT id, y FROM t QUALIFY rank() OVER (ORDER BY y NULLS LAST) <= 3",
    ),
    "ties_from_the_third": (
        T.top_n(2, [c("y")], descending=True, offset=2, with_ties=True).select("y"),
        "SELECT y FROM t QUALIFY rank() OVER (ORDER BY y DESC NULLS LAST) <= 4 "
        "AND row_number() OVER (ORDER BY y DESC NULLS LAST) > 2",
    ),
    "groups": (
        T.group_by("g").agg(
            SUM,
            f.count(c("x")).alias("n"),
            f.count().alias("all"),
            f.avg(c("y")).alias("a"),
            f.max(c("d")).alias("m"),
        ),
        "SELECT g, sum(x), count(x), count(*), avg(y), max(d) FROM t GROUP BY g",
    ),
    "measures": (
        T.group_by((c("x") % 2).alias("odd")).agg(
            f.sum(c("x")).filter(c("y") > 0.5).alias("s"),
            f.count(c("g")).distinct().alias("n"),
            f.string_agg(c("g"), ",").order_by("id", descending=True).alias("l"),
        ),
        "SELECT x % 2, sum(x) FILTER (WHERE y > 0.5), count(DISTINCT g), "
        "string_agg(g, ',' ORDER BY id DESC NULLS LAST) FROM t GROUP BY 1",
    ),
    "groups_of_groups": (
        T.group_by("g")
        .agg(SUM)
        .filter(c("s") > 0)
        .group_by()
        .agg(f.max(c("s")).alias("m"), f.count().alias("n")),
        "SELECT max(s), count(*) FROM (SELECT sum(x) s FROM t GROUP BY g HAVING sum(x) > 0)",
    ),
    "rollup": (T.rollup("g", "b").agg(SUM), "SELECT g, b, sum(x) FROM t GROUP BY ROLLUP (g, b)"),
    "cube": (
        T.cube("g", "b").agg(SUM).sort("s"),
        "SELECT g, b, sum(x) AS s FROM t GROUP BY CUBE (g, b)",
    ),
    "sets": (
        T.group_by("g", "b", grouping_sets=[["g"], [1], []]).agg(SUM).filter(c("s") > 1),
        "SELECT g, b, sum(x) AS s FROM t GROUP BY GROUPING SETS ((g), (b), ()) HAVING sum(x) > 1",
    ),
    "sets_over_none": (
        NONE.rollup("v").agg(f.count(c("k")).alias("n")),
        "SELECT NULL, 0",
    ),
    "sets_selected": (
        T.rollup("g").agg(SUM).select("s"),
        "SELECT sum(x) FROM t GROUP BY ROLLUP (g)",
    ),
    "union": (
        T.select("id").union(U.select("k"), NONE.select("k")),
        "SELECT id FROM t UNION ALL SELECT k FROM u UNION ALL SELECT k FROM none",
    ),
    "union_distinct": (
        T.select("g").union(U.select("v"), distinct=True),
        "SELECT g FROM t UNION SELECT v FROM u",
    ),
    "intersect_all": (
        T.select("id").intersect(U.select("k"), distinct=False),
        "SELECT id FROM t INTERSECT ALL SELECT k FROM u",
    ),
    "except": (
        T.select("id").except_(U.select("k"), T.filter(c("x") == 2).select("id")),
        "SELECT id FROM t EXCEPT SELECT k FROM u EXCEPT SELECT id FROM t WHERE x = 2",
    ),
    "except_all": (
        T.select("id").except_(U.select("k"), distinct=False),
        "SELECT id FROM t EXCEPT ALL SELECT k FROM u",
    ),
    "unpivot": (
        U.with_columns(z=c("w") * 2).unpivot(["w", "z"], "k"),
        "SELECT k, 'w', w FROM u UNION ALL SELECT k, 'z', w * 2 FROM u",
    ),
    "outer_join": (T.join(U, ON, "outer"), "SELECT * FROM t FULL JOIN u ON id = k"),
    "post_filter": (
        T.join(U, ON, "left", post_filter=c("w").is_null()),
        "SELECT * FROM t LEFT JOIN u ON id = k WHERE w IS NULL",
    ),
    "residual": (
        T.hash_join(U, "id", "k", "left", residual=c("w") > c("y")),
        "SELECT * FROM t LEFT JOIN u ON id = k AND w > y",
    ),
    "right_anti": (
        T.merge_join(U, "id", "k", "right_anti", residual=c("w") > c("y")),
        "SELECT * FROM u WHERE NOT EXISTS (SELECT 1 FROM t WHERE id = k AND w > y)",
    ),
    "right_semi": (
        T.nested_loop_join(U, c("y") >= c("w"), "right_semi"),
        "SELECT * FROM u WHERE EXISTS (SELECT 1 FROM t WHERE y >= w)",
    ),
    "mark": (
        T.join(U, (c("id") == c("k")) & (c("w") > c("y")), "left_mark").select(
            "id", c(6).alias("mark")
        ),
        "SELECT id, (SELECT CASE WHEN bool_or(id = k AND w > y) THEN true "
        "WHEN bool_or((id = k AND w > y) IS NULL) THEN NULL ELSE false END FROM u) FROM t",
    ),
    "single": (
        T.join(U.group_by("k").agg(f.max(c("w")).alias("m")), ON, "left_single").select("id", "m"),
        "SELECT id, m FROM t LEFT JOIN (SELECT k, max(w) AS m FROM u GROUP BY k) ON id = k",
    ),
    "self_join": (
        U.join(U.rename({"k": "k2", "v": "v2", "w": "w2"}), c("v") == c("v2")).select("k", "k2"),
        "SELECT a.k, b.k FROM u AS a JOIN u AS b ON a.v = b.v",
    ),
    "shared": (
        _shared(
            lambda s: s.filter(c("w") > 1.0).union(s.filter(c("w") <= 1.0)), U.filter(c("k") > 0)
        ),
        "SELECT * FROM u WHERE k > 0 AND w IS NOT NULL",
    ),
    "shared_laterally": (
        _shared(
            lambda s: (
                T.lateral_join(lambda row: s.filter(c("k") == row["id"]))
                .select("id", "w")
                .union(s.select("k", "w"))
            ),
            U.filter(c("w") > 0.25),
        ),
        "SELECT id, w FROM t JOIN u ON k = id WHERE w > 0.25 UNION ALL SELECT k, w FROM u WHERE w > 0.25",
    ),
    "lateral_top": (
        T.lateral_join(
            lambda row: U.filter(c("k") == row["id"]).top_n(1, "w", descending=True), "left"
        ),
        "SELECT * FROM t LEFT JOIN LATERAL (SELECT * FROM u WHERE k = id ORDER BY w DESC NULLS LAST LIMIT 1) ON true",
    ),
    "lateral_groups": (
        T.lateral_join(
            lambda row: U.group_by().agg(f.count(c("w")).filter(c("k") < row["id"]).alias("n"))
        ).select("id", "n"),
        "SELECT id, (SELECT count(w) FILTER (WHERE k < id) FROM u) FROM t",
    ),
    "lateral_union": (
        T.lateral_join(
            lambda row: (
                U.filter(c("k") == row["id"])
                .select("v")
                .union(U.filter(c("w") < row["y"]).select("v"))
            )
        ).select("id", "v"),
        "SELECT id, v FROM t JOIN u ON k = id UNION ALL SELECT id, v FROM t JOIN u ON w < y",
    ),
    "lateral_deep": (
        T.lateral_join(
            lambda row: U.lateral_join(
                lambda inner: T.filter((c("x") > row["x"]) & (c("y") == inner["w"])).select(
                    c("id").alias("other")
                )
            )
        ).select("id", "k", "other"),
        "SELECT a.id, k, c.id FROM t AS a, u, t AS c WHERE c.x > a.x AND c.y = w",
    ),
    "lateral_anti": (
        T.lateral_join(
            lambda row: U.filter(c("k") == row["id"]), "left_anti", on=c("w") > c("y")
        ).select("id"),
        "SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE k = id AND w > y)",
    ),
    "lateral_mark": (
        T.lateral_join(
            lambda row: U.filter(c("k") == row["id"]), "left_mark", on=c("w") > c("y")
        ).select("id", c(6).alias("m")),
        "SELECT id, (SELECT CASE WHEN bool_or(w > y) THEN true WHEN bool_or((w > y) IS NULL) THEN NULL ELSE false END "
        "FROM u WHERE k = id) FROM t",
    ),
    "exists": (
        T.filter(sub.exists(OF_ROW)),
        "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u WHERE k = id)",
    ),
    "exists_in_sum": (
        T.group_by("g").agg(f.sum(sub.when(sub.exists(OF_ROW)).then(1).otherwise(0)).alias("n")),
        "SELECT g, sum(e) FROM (SELECT g, "
        "CASE WHEN EXISTS (SELECT 1 FROM u WHERE k = id) THEN 1 ELSE 0 END AS e FROM t) GROUP BY g",
    ),
    "exists_of_sets": (
        T.filter(
            sub.exists(U.rollup("v").agg(f.count(c("k")).alias("n")).filter(c("n") == outer("id")))
        ).select("id"),
        "SELECT id FROM t WHERE id IN (SELECT count(k) FROM u GROUP BY ROLLUP (v))",
    ),
    "two_out": (
        T.filter(
            sub.exists(
                U.filter(
                    (c("k") == outer("id"))
                    & sub.exists(T.filter((c("x") == outer("x", 2)) & (c("id") == outer("k"))))
                )
            )
        ).select("id"),
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE k = t.id "
        "AND EXISTS (SELECT 1 FROM t AS i WHERE i.x = t.x AND i.id = u.k))",
    ),
    "in": (
        T.filter(c("id").in_subquery(U.select("k"))),
        "SELECT * FROM t WHERE id IN (SELECT k FROM u)",
    ),
    "not_in": (
        T.filter(~c("id").in_subquery(U.filter(c("v") == outer("g")).select("k"))),
        "SELECT * FROM t WHERE id NOT IN (SELECT k FROM u WHERE v = g)",
    ),
    "value": (
        T.select(
            "id", sub.scalar_subquery(OF_ROW.group_by().agg(f.max(c("w")).alias("m"))).alias("m")
        ),
        "SELECT id, (SELECT max(w) FROM u WHERE k = id) FROM t",
    ),
    "unique": (
        T.filter(sub.unique(U.filter(c("v") == outer("g")).select("k"))).select("id", "g"),
        "SELECT id, g FROM t WHERE NOT EXISTS (SELECT k FROM u WHERE v = g AND k IS NOT NULL "
        "GROUP BY k HAVING count(*) > 1)",
    ),
    "any": (
        T.select("id", (c("y") < sub.any_(U.filter(c("k") != outer("id")).select("w"))).alias("a")),
        "SELECT id, y < ANY (SELECT w FROM u WHERE k <> id) FROM t",
    ),
    "all": (
        T.select("id", (c("y") <= sub.all_(U.filter(c("v") == outer("g")).select("w"))).alias("a")),
        "SELECT id, y <= ALL (SELECT w FROM u WHERE v = g) FROM t",
    ),
    "windows": (
        T.with_columns(
            n=f.row_number().over(["g"], ["y", "id", "x"]),
            r=f.rank().over((), "y", descending=True, nulls_last=False),
            p=f.lag(c("x")).over("g", ["id", "x"]),
            e=f.last_value(c("x")).over("g", ["id", "x"], rows=(-1, 1)),
            h=f.first_value(c("id")).over((), "id", range=(-1, 0)),
        ).select("id", "n", "r", "p", "e", "h"),
        "SELECT id, row_number() OVER (PARTITION BY g ORDER BY y, id, x), rank() OVER (ORDER BY y DESC NULLS FIRST), "
        "lag(x) OVER (PARTITION BY g ORDER BY id, x), "
        "last_value(x) OVER (PARTITION BY g ORDER BY id, x ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING), "
        "first_value(id) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
    ),
    "lambdas": (
        LISTS.select(
            "id",
            c("xs").list_transform(lambda x: x * c("id")).alias("scaled"),
            c("xs").list_filter(lambda x: x > 1).alias("more"),
            c("xs")[0].alias("first"),
        ),
        "SELECT id, list_transform(xs, x -> x * id), list_filter(xs, x -> x > 1), xs[1] FROM lists",
    ),
    "rows": (
        sub.from_records(
            [{"a": 1, "b": "it's ${x}"}, {"a": None, "b": "\\"}], {"a": sub.i64, "b": sub.string}
        ),
        "SELECT 1, 'it''s ${x}' UNION ALL SELECT NULL, '\\'",
    ),
    "text": (
        T.select(
            f.upper(c("g")).alias("u"),
            f.concat(c("g"), "!").alias("c"),
            f.like(c("g"), "%a").alias("l"),
            f.extract(sub.enum("YEAR"), c("d")).alias("y"),
            c("x").cast(sub.string).alias("x"),
        ),
        "SELECT upper(g), g || '!', g LIKE '%a', year(d), CAST(x AS VARCHAR) FROM t",
    ),
    "moved": (T.repartition(3).broadcast().hint(row_count=3, alias="small"), "SELECT * FROM t"),
}


@pytest.fixture(scope="module")
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, DataFrame]:
    folder: Path = tmp_path_factory.mktemp("substrait_python")
    for name, table in TABLES.items():
        pq.write_table(table, folder / f"{name}.parquet")
    return {name: spark.read.parquet(str(folder / f"{name}.parquet")) for name in TABLES}


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for name, table in TABLES.items():
        connection.register(name, table)
    return connection


@pytest.mark.parametrize("case", CASES)
def test_rows(
    case: str, tables: dict[str, DataFrame], engine: duckdb.DuckDBPyConnection, spark: SparkSession
) -> None:
    frame, sql = CASES[case]
    plan = frame.to_plan()
    got = run.last_rows(spark, plan, tables)
    difference = rows.difference(got, engine.execute(sql).fetchall(), ordered=case == "sorted")
    assert not difference, f"{difference}\n\n{substrait_sql.to_sql(plan)}"
