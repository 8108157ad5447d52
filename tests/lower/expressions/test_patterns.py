"""Regular expressions of ICU, as Spark finds them: against what ICU found (`icu`, beside this), and as plans."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

import substrait_sql
from substrait_sql.dialect.regex import RegexError
from substrait_sql.dialect.regex.flavour import ICU
from substrait_sql.dialect.regex.parse import parse
from substrait_sql.dialect.regex.write import java
from tests.lower.expressions.icu.draw import CASES, LISTED
from tests.support.build import call, lit, plan, virtual

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Drawn patterns that are refused: of those drawn, all others are written.
MOST_REFUSED = 0.2
REFUSED = [
    (r"\X", "every release of Java"),
    (r"(?w)\b", "words by their meaning"),
    (r"(?i)\p{Lu}", "of one case"),
    (r"(?i)(a)\1", "in another case"),
    (r"\p{InGreek}", "another idea"),
    (r"(a", "without its ')'"),
    (r"a)", "without its '('"),
    (r"*a", "repeats nothing"),
    (r"a{2,1}", "{2,1}"),
    (r"(a)\2", "does not end before it"),
    (r"(?<=a*)b", "any length"),
    (r"[b-a]", "from its end"),
    (r"\x{110000}", "digits"),
    ("(" * 300 + ")" * 300, "more than 200"),
    ("[" * 300 + "a" + "]" * 300, "more than 50"),
]


def _java(pattern: str) -> str | None:
    try:
        return java(parse(pattern, ICU)).whole()
    except RegexError:
        return None


def test_spark_finds_what_icu_finds(spark: SparkSession) -> None:
    """One query over all drawn patterns; those listed by hand are all written."""
    cases = json.loads(CASES.read_text())
    written = [(i, text, _java(pattern)) for i, (pattern, text, _) in enumerate(cases)]
    refused = [cases[i][0] for i, _, found in written if found is None]
    assert not {p for p, _ in LISTED} & set(refused)
    assert len(refused) < MOST_REFUSED * len(cases)
    rows = [(i, text, found) for i, text, found in written if found is not None]
    frame = spark.createDataFrame(rows, "i INT, x STRING, p STRING")
    found = frame.selectExpr("i", "regexp_extract_all(x, p, 0) AS found").collect()
    wrong = [(cases[r.i], _java(cases[r.i][0]), r.found) for r in found if r.found != cases[r.i][2]]
    assert len(found) == len(rows)
    assert wrong == []


@pytest.mark.parametrize(("pattern", "reason"), REFUSED)
def test_what_java_lacks_is_refused(pattern: str, reason: str) -> None:
    """By us, at the node, before Spark makes rows."""
    made = call(
        "string",
        "regexp_match_substring:str_str",
        "string?",
        lit("a", "string"),
        lit(pattern, "string"),
    )
    with pytest.raises(substrait_sql.UnsupportedError, match="SS2222") as error:
        substrait_sql.to_sql(
            plan((virtual("x:i32", (1,)).project(lambda r: [made], emit=[1]), "m"))
        )
    assert reason in str(error.value)


@pytest.mark.parametrize("part", ["a", "(a|b)", "[a-z]", "[[a]b]", "(?i)ß", ".*", r"\b", "(?=a)"])
def test_a_long_pattern_takes_its_time(part: str) -> None:
    """Twice the pattern, twice the time; and never minutes."""
    began = time.perf_counter()
    assert _java(part * 2000)
    assert time.perf_counter() - began < 10
