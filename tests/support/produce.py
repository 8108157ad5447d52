"""Runs in .venv-producers, beside nothing of ours: makes plans with Ibis and with DuckDB 1.1.

    python produce.py ibis|duckdb FOLDER-OF-PARQUET-TABLES QUERIES.json  ->  JSON on stdout

QUERIES.json maps a name to SQL, for duckdb; Ibis' queries are below. The answer maps each name to
the query's SQL, and to the plan in base64 or why it was refused. The SQL of an Ibis query is what
Ibis itself compiles it to for DuckDB: its rows are the ones to compare with.
"""

import base64
import json
import sys
from pathlib import Path


def ibis_queries(table):
    """Query name -> Ibis expression; table(name) is a TPC-H table."""
    import ibis
    from ibis import _

    li, o, c, n = table("lineitem"), table("orders"), table("customer"), table("nation")
    rich = c.filter(c.c_acctbal > 9900)
    return {
        "filter": n.filter(n.n_regionkey > 1),
        "filter_and_or": n.filter(
            ((_.n_regionkey > 1) & (_.n_nationkey < 20)) | (_.n_name == "FRANCE")
        ),
        "filter_not": n.filter(~(_.n_regionkey == 1)),
        "select": c.select("c_name", "c_acctbal"),
        "arithmetic": li.filter(_.l_orderkey < 100).select(
            "l_orderkey",
            "l_linenumber",
            net=_.l_extendedprice * (1 - _.l_discount),
        ),
        "mutate": n.mutate(twice=_.n_nationkey * 2),
        "conditional": n.mutate(low=(_.n_nationkey > 10).ifelse("high", "low")),
        "simple_case": n.select(
            "n_name",
            region=n.n_regionkey.case().when(0, "zero").when(1, "one").else_("more").end(),
        ),
        "isin": n.filter(n.n_regionkey.isin([1, 3])),
        "notin": n.filter(n.n_regionkey.notin([1, 3])),
        "like": c.filter(c.c_mktsegment.like("BUILD%")).select("c_custkey"),
        "upper": n.select(u=n.n_name.lower()),
        "global_aggregate": li.aggregate(
            total=li.l_quantity.sum(), least=li.l_extendedprice.min(), rows=li.count()
        ),
        "grouped": li.group_by("l_returnflag", "l_linestatus").aggregate(
            quantity=li.l_quantity.sum(), mean=li.l_discount.mean(), rows=li.count()
        ),
        "having": o.group_by("o_orderpriority").aggregate(k=o.count()).filter(_.k > 3000),
        "order_limit": c.order_by(ibis.desc("c_acctbal"), "c_custkey").limit(7),
        "limit_offset": c.order_by("c_custkey").limit(5, offset=10),
        "order_by_expression": n.order_by(-n.n_nationkey).limit(3),
        "join": o.join(c, o.o_custkey == c.c_custkey).filter(_.c_nationkey == 3)[
            ["o_orderkey", "c_name"]
        ],
        "left_join": n.left_join(rich, n.n_nationkey == rich.c_nationkey),
        "union": n.select(k=n.n_nationkey).union(n.select(k=n.n_regionkey)),
        "union_distinct": n.select(k=n.n_nationkey).union(n.select(k=n.n_regionkey), distinct=True),
        "intersect": n.select(k=n.n_nationkey).intersect(n.select(k=n.n_regionkey)),
        "difference": n.select(k=n.n_nationkey).difference(n.select(k=n.n_regionkey)),
        "date_filter": o.filter(o.o_orderdate < ibis.date("1992-01-10")).select("o_orderkey"),
        "extract": o.filter(o.o_orderkey < 50).select("o_orderkey", year=o.o_orderdate.year()),
        "cast": n.select(k=n.n_nationkey.cast("float64")),
        "null_handling": c.filter(c.c_acctbal.isnull() | (c.c_acctbal < -900)).select("c_name"),
    }


def with_ibis(folder, _queries):
    import duckdb
    import ibis
    from ibis_substrait.compiler.core import SubstraitCompiler

    connection = duckdb.connect()

    def table(name):
        columns = connection.execute(f"DESCRIBE SELECT * FROM '{folder / name}.parquet'").fetchall()
        types = {"BIGINT": "int64", "INTEGER": "int32", "VARCHAR": "string", "DATE": "date"}
        schema = {n: types.get(t, t.lower()) for n, t, *_ in columns}
        return ibis.table(schema, name=name)

    for name, expression in ibis_queries(table).items():
        sql = str(ibis.to_sql(expression, dialect="duckdb"))
        try:
            yield name, SubstraitCompiler().compile(expression).SerializeToString(), sql
        except Exception as refused:
            yield name, f"{type(refused).__name__}: {refused}", sql


def with_duckdb(folder, queries):
    import importlib.metadata

    import duckdb

    connection = duckdb.connect()
    files = importlib.metadata.files("duckdb_extension_substrait") or []
    (extension,) = (f.locate() for f in files if str(f).endswith(".duckdb_extension"))
    connection.execute(f"LOAD '{extension}'")
    # tables, not views: the producer writes the name of what it scans
    for path in sorted(folder.glob("*.parquet")):
        connection.execute(f"CREATE TABLE {path.stem} AS SELECT * FROM '{path}'")
    for name, sql in queries.items():
        try:
            (plan,) = connection.execute("CALL get_substrait(?)", [sql]).fetchone()
            yield name, bytes(plan), sql
        except Exception as refused:
            yield name, f"{type(refused).__name__}: {refused}", sql


def main():
    producer, folder, queries = (
        sys.argv[1],
        Path(sys.argv[2]),
        json.loads(Path(sys.argv[3]).read_text()),
    )
    make = {"ibis": with_ibis, "duckdb": with_duckdb}[producer]
    out = {}
    for name, made, sql in make(folder, queries):
        if isinstance(made, bytes):
            out[name] = {"plan": base64.b64encode(made).decode(), "sql": sql}
        else:
            out[name] = {"refused": made.splitlines()[0], "sql": sql}
    json.dump(out, sys.stdout)


if __name__ == "__main__":
    main()
