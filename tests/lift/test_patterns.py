"""Constant patterns of dates and regular expressions: the standard's function where its own rule writes the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import execute, to_plan, to_sql
from substrait_sql.dialect.rules import formats, patterns

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = {"t": {"x": "string", "d": "date", "n": "timestamp_ntz", "z": "timestamp"}}
STANDARD = {
    "date_format(d, 'MM/dd')": "strftime:date_str",
    "date_format(n, 'E, dd MMM y HH:mm:ss')": "strftime:pts_str",
    "date_format(z, 'y-MM-dd\\'T\\'HH')": "strftime:ptstz_str_str",
    "date_format(n, 'hh% a')": "strftime:pts_str",
    "to_date(x, 'y-M-d')": "strptime_date:str_str",
    "to_date(x, 'yyyyMMdd')": "strptime_date:str_str",
    "to_timestamp(x, 'y-M-d H:m')": "strptime_timestamp:str_str_i8",
    "regexp_substr(x, '[0-9]+')": "regexp_match_substring:str_str",
    "regexp_count(x, 'a|b')": "regexp_count_substring:str_str",
    "regexp_instr(x, '[bB]')": "regexp_strpos:str_str_i64_i64",
    "regexp_extract_all(x, '[a-c]', 0)": "regexp_match_substring_all:str_str_i64_i64",
    "split(x, ',')": "regexp_string_split:str_str",
    "regexp_replace(x, '^([a-z])', '<$1>')": "regexp_replace:str_str_str",
    "regexp_replace(x, '(?s)\\\\A(.*?)([0-9])', '$1[$2]\\\\$')": "regexp_replace:str_str_str",
}
# The standard means something else by each letter that could be meant, or nothing.
OWN = {
    "date_format(d, 'yyyy')": "four digits at least: %Y has as many as there are",
    "date_format(d, 'Q')": "no conversion",
    "date_format(d, 'dM\\'')": "no pattern",
    "to_date(x, 'yyyy-MM-dd')": "digits by their number: %Y-%m-%d reads as many as there are",
    "to_date(x, 'yyyy')": "no day",
    "to_timestamp(x, 'y-M-d h')": "hours of half a day",
    "regexp_count(x, 'a.')": "other ends of lines in ICU",
    "regexp_replace(x, '[a-z]', '')": "every match: the standard's replaces the first",
    "split(x, '\\\\s')": "other blanks in ICU",
    "split(x, ',', 2)": "no limit",
}


def _names(sql: str) -> list[str]:
    plan = to_plan(sql, schema=SCHEMA)
    return [row.extension_function.name for row in plan.extensions]


@pytest.mark.parametrize("value", STANDARD)
def test_it_is_the_standards_and_comes_back(value: str) -> None:
    sql = f"SELECT {value} AS f FROM t"
    assert STANDARD[value] in _names(sql)
    assert " ".join(to_sql(to_plan(sql, schema=SCHEMA)).split()) == sql


@pytest.mark.parametrize("value", OWN)
def test_it_stays_ours(value: str) -> None:
    name = value.partition("(")[0]
    assert [n.partition(":")[0] for n in _names(f"SELECT {value} AS f FROM t")] == [name]


def test_a_guess_turns_the_letters_round() -> None:
    assert formats.posix("y-MM-dd 'at' HH''%") == "%Y-%m-%d at %H'%%"
    assert formats.posix("y-QQ") is None
    assert formats.posix("y 'open") is None
    assert formats.posix_read("y-M-d h:m a") == "%Y-%m-%d %I:%M %p"
    assert patterns.icu_first("[a-z]") is None
    assert patterns.icu_groups(r"$1-\$-$") is None
    assert patterns.icu_groups(r"$1-\$-\\") == r"\1-$-\\"
    assert patterns.icu_groups_behind("$1<$2>") == r"<\1>"
    assert patterns.icu_groups_behind("<$2>") is None


@pytest.mark.spark
def test_rows(spark: SparkSession) -> None:
    """Over texts that match and that do not, NULL and nothing."""
    given = (
        "FROM VALUES ('a,b', DATE '2020-02-03', TIMESTAMP_NTZ '2020-02-03 16:05:06', TIMESTAMP '1999-12-31 23:59:59'),"
        " ('b1B2', DATE '0987-01-01', TIMESTAMP_NTZ '0001-01-01 00:00:00', TIMESTAMP '9999-01-01 00:00:00'),"
        " ('', NULL, NULL, NULL), (NULL, DATE '2020-12-31', NULL, NULL) AS t(x, d, n, z)"
    )
    read = [v for v in STANDARD if "to_" not in v]
    texts = ", ".join(f"{v} AS c{i}" for i, v in enumerate(read))
    dates = [v.replace("x", f"'{text}'") for v, text in _READ.items()]
    moments = ", ".join(f"{v} AS d{i}" for i, v in enumerate(dates))
    sql = f"SELECT {texts}, {moments} {given}"
    wanted = spark.sql(sql)
    found = execute(spark, to_plan(sql, schema=spark))
    assert found.dtypes == wanted.dtypes
    assert found.collect() == wanted.collect()


_READ = {
    "to_date(x, 'y-M-d')": "2020-2-29",
    "to_date(x, 'yyyyMMdd')": "20200229",
    "to_timestamp(x, 'y-M-d H:m')": "2020-12-31 7:08",
}
