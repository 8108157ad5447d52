"""Statements for a session whose zone is not UTC: a plan runs in UTC and gives the session's rows, or is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import substrait_sql
from substrait_sql import SqlError
from substrait_sql.lift.typing.table import FOLDER, known

if TYPE_CHECKING:
    from collections.abc import Iterator

# One whose clocks jump, one that is half an hour off, an offset.
ZONES = ("America/Los_Angeles", "Asia/Kolkata", "-02:00")
MOMENTS = """CREATE OR REPLACE TEMPORARY VIEW moments AS SELECT * FROM VALUES
(1, TIMESTAMP '2021-03-14 09:59:59Z', TIMESTAMP_NTZ '2021-03-14 02:30:00', DATE '2021-03-14', '2021-03-14 02:30:00'),
(2, TIMESTAMP '2021-11-07 08:30:00Z', TIMESTAMP_NTZ '2021-11-07 01:30:00', DATE '2021-11-07', '2021-11-07'),
(3, TIMESTAMP '2021-11-07 09:30:00Z', TIMESTAMP_NTZ '2021-10-31 02:30:00', DATE '2021-10-31', '2021-10-31'),
(4, TIMESTAMP '1900-01-01 00:00:00Z', TIMESTAMP_NTZ '1900-01-01 00:00:00', DATE '1900-01-01', NULL),
(5, TIMESTAMP '2020-12-31 23:30:00Z', TIMESTAMP_NTZ '2020-12-31 23:30:00.123456', DATE '2020-12-31', 'x'),
(6, CAST(NULL AS TIMESTAMP), CAST(NULL AS TIMESTAMP_NTZ), CAST(NULL AS DATE), NULL) AS m(id, ts, n, d, s)"""
SAME = [
    "SELECT id, CAST(ts AS DATE), CAST(ts AS TIMESTAMP_NTZ), CAST(ts AS STRING), ts || '', try_cast(ts AS "
    "DATE) FROM moments",
    "SELECT id, CAST(n AS TIMESTAMP), CAST(d AS TIMESTAMP), CAST(id AS TIMESTAMP), CAST(ts AS BIGINT), "
    "CAST(ts AS TIMESTAMP) FROM moments",
    "SELECT id, year(ts), month(ts), day(ts), hour(ts), minute(ts), second(ts), dayofweek(ts), "
    "weekofyear(ts), dayname(ts) FROM moments",
    "SELECT id, extract(HOUR FROM ts), date_part('minute', ts), extract(SECOND FROM ts), extract(HOUR FROM "
    "n), extract(YEAR FROM d) FROM moments",
    "SELECT id, date_format(ts, 'yyyy-MM-dd HH:mm'), date_format(n, 'HH'), date_format(d, 'HH') FROM moments",
    "SELECT id, date_trunc('DAY', ts), date_trunc('month', ts), date_trunc('WEEK', n), trunc(ts, 'MM') FROM moments",
    "SELECT id, ts - n, n - ts, d - ts, ts - TIMESTAMP '2020-03-01 00:00:00', ts + INTERVAL '3' HOUR, ts - "
    "INTERVAL '30' MINUTE FROM moments",
    "SELECT id FROM moments WHERE ts > '2021-01-01' OR ts = d OR ts < n OR CAST(ts AS DATE) IN (DATE '2021-11-06')",
    "SELECT id, ts = '2021-03-14 01:59:59', ts BETWEEN '2021-03-14' AND '2021-03-15', ts IN ('2021-01-01 "
    "05:00:00') FROM moments",
    "SELECT id, to_date(ts), date(ts), add_months(ts, 1), datediff(ts, d), last_day(ts), to_date(s) FROM "
    "moments WHERE id < 5",
    "SELECT id, timestampdiff(HOUR, d, ts), timestampdiff(MONTH, n, ts), date_add(ts, 1), unix_timestamp(ts) "
    "FROM moments",
    "SELECT CAST(ts AS DATE) AS day, count(*), max(hour(ts)), max(ts) FROM moments GROUP BY 1 HAVING "
    "max(hour(ts)) >= 0 ORDER BY day",
    "SELECT id, coalesce(ts, d), if(id > 1, ts, n), array(ts, d)[1], named_struct('a', ts).a, greatest(ts, "
    "CAST(d AS TIMESTAMP)) FROM moments",
    "SELECT current_date() = CAST(now() AS DATE), current_timezone(), CAST(now() AS TIMESTAMP_NTZ) = "
    "localtimestamp()",
    "SELECT id, lag(ts) OVER (ORDER BY ts), count(*) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '2' HOUR "
    "PRECEDING AND CURRENT ROW) FROM moments",
    "SELECT id, from_utc_timestamp(ts, 'Asia/Seoul'), to_utc_timestamp(ts, 'Asia/Seoul'), unix_seconds(ts), "
    "timestamp_seconds(id) FROM moments",
    "SELECT ts FROM moments UNION ALL SELECT d FROM moments",
    "SELECT id, (SELECT max(hour(x.ts)) FROM moments x WHERE CAST(x.ts AS DATE) = CAST(m.ts AS DATE)) FROM moments m",
    "WITH t AS (SELECT id, hour(ts) AS h FROM moments) SELECT a.id, b.h FROM t a JOIN t b ON a.h = b.h AND a.id = b.id",
    "SELECT id, transform(array(ts), x -> hour(x)), typeof(ts), hash(ts) FROM moments",
    "SELECT TIMESTAMP '2021-03-14 02:30:00', CAST('2021-03-14 02:30:00' AS TIMESTAMP), DATE '2021-01-01' < "
    "TIMESTAMP '2021-01-01 00:00:00'",
    "SELECT sequence(DATE '2021-01-01', DATE '2021-01-03'), DATE '2021-01-01' + INTERVAL '1' DAY",
]  # fmt: skip
REFUSED = [
    "SELECT date_format(ts, 'HH z') FROM moments",
    "SELECT date_trunc('HOUR', ts) FROM moments",
    "SELECT ts + INTERVAL '1' DAY FROM moments",
    "SELECT ts - INTERVAL '1' MONTH FROM moments",
    "SELECT months_between(ts, d) FROM moments",
    "SELECT to_json(named_struct('a', ts)) FROM moments",
    "SELECT from_unixtime(id) FROM moments",
    "SELECT to_unix_timestamp(s) FROM moments",
    "SELECT CAST(s AS TIMESTAMP) FROM moments",
    "SELECT CAST(array(ts) AS ARRAY<STRING>) FROM moments",
    "SELECT count(*) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND CURRENT ROW) FROM moments",
    "SELECT make_timestamp(2021, 3, 14, 2, 30, 0)",
    "SELECT id FROM moments WHERE EXISTS (SELECT 1 FROM moments x WHERE from_unixtime(x.id) = '')",
    "WITH t AS (SELECT from_unixtime(id) AS f FROM moments) SELECT a.f FROM t a, t b",
    "SELECT to_date('2021-01-01T00:00:00Z', \"yyyy-MM-dd'T'HH:mm:ssX\")",
]


@pytest.fixture(params=ZONES)
def abroad(request: Any, spark: Any) -> Iterator[Any]:
    """The session in another zone, with a table."""
    spark.conf.set("spark.sql.session.timeZone", request.param)
    try:
        spark.sql(MOMENTS)
        yield spark
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
        spark.catalog.dropTempView("moments")


def _result(frame: Any) -> tuple[Any, list[str]]:
    return frame.schema.simpleString(), sorted(map(repr, frame.collect()))


def test_rows_are_those_of_the_session(abroad: Any) -> None:
    for sql in SAME:
        plan = substrait_sql.to_plan(sql, schema=abroad)
        assert _result(substrait_sql.execute(abroad, plan)) == _result(abroad.sql(sql)), sql


def test_what_else_the_zone_decides_is_refused(abroad: Any) -> None:
    for sql in REFUSED:
        with pytest.raises(SqlError, match=r"SS5007 .* depends on the session's time zone"):
            substrait_sql.to_plan(sql, schema=abroad)


def test_a_zone_is_said_without_a_session() -> None:
    schema = {"t": {"ts": "TIMESTAMP"}}
    plan = substrait_sql.to_plan(
        "SELECT CAST(ts AS DATE) AS d FROM t", schema=schema, zone="Europe/Berlin"
    )
    assert "from_utc_timestamp(ts, 'Europe/Berlin')" in substrait_sql.to_sql(plan)
    for utc in ("UTC", "Etc/UTC", "+00:00"):
        plan = substrait_sql.to_plan("SELECT CAST(ts AS DATE) AS d FROM t", schema=schema, zone=utc)
        assert "utc" not in substrait_sql.to_sql(plan)


def _examples(spark: Any, name: str) -> list[str]:
    """The examples that Spark has of a function in its own description."""
    described = "\n".join(r[0] for r in spark.sql(f"DESCRIBE FUNCTION EXTENDED `{name}`").collect())
    return [
        x.strip().rstrip(";") for x in re.findall(r"^\s*> (SELECT .*)$", described, re.MULTILINE)
    ]


def test_no_function_of_dates_forgets_the_zone(spark: Any) -> None:
    """Spark's own examples: what is not refused gives the rows of the session. Now and then is another time."""
    lines = yaml.safe_load((FOLDER / "datetime.yaml").read_text(encoding="utf-8"))["functions"]
    names = {n for each in lines for n in (each["name"], *each.get("also", ()))}
    session = {n for n in names if known(n).session}
    spark.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
    compared = 0
    try:
        for name in sorted(names - session - {"timestampadd", "timestampdiff"}):
            for sql in _examples(spark, name):
                try:
                    plan = substrait_sql.to_plan(sql, schema=spark)
                    expected = _result(spark.sql(sql))
                except Exception:  # refused here, or switched off in Spark
                    continue
                assert _result(substrait_sql.execute(spark, plan)) == expected, sql
                compared += 1
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert compared > 60


@pytest.mark.parametrize(
    ("sql", "options", "place"),
    [
        ("SELECT n,\n  from_unixtime(n) AS x FROM t", {"zone": "America/Los_Angeles"}, "line 2, column 3"),
        ("SELECT n,\n  SOUNDEX('a') AS x FROM t", {"standard_only": True}, "line 2, column 3"),
        # Which of the two is it?
        ("SELECT soundex('a'), soundex('b') FROM t", {"standard_only": True}, ""),
    ],
)  # fmt: skip
def test_what_is_found_late_has_a_place(sql: str, options: dict[str, Any], place: str) -> None:
    with pytest.raises(substrait_sql.SqlError) as refused:
        substrait_sql.to_plan(sql, schema={"t": {"n": "BIGINT"}}, **options)
    assert refused.value.path == place


@pytest.mark.parametrize(
    ("zone", "pattern", "takes"),
    [
        ("UTC", "VV z", True),
        ("Etc/UTC", "y z XXX", True),
        ("Etc/UTC", "VV", False),
        ("GMT", "y z", False),
        ("+00:00", "HH VV", False),
        ("GMT", "y-MM-dd XXX", True),
    ],
)
def test_utc_has_several_names(zone: str, pattern: str, takes: bool) -> None:
    """A pattern writes the name that the session has; the plan runs under UTC."""
    sql = f"SELECT date_format(z, '{pattern}') AS f FROM t"
    if takes:
        assert substrait_sql.to_plan(sql, schema={"t": {"z": "timestamp"}}, zone=zone)
        return
    with pytest.raises(SqlError, match="depends on the session's time zone"):
        substrait_sql.to_plan(sql, schema={"t": {"z": "timestamp"}}, zone=zone)
