"""Where producers depart from the specification: the table, a row for each deviation of each producer.

A row is data; `producers` reads it. `python -m tests.tools.producers --write` prints it into docs/producers/.
"""

from __future__ import annotations

from dataclasses import dataclass

Version = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation of one producer.

    name: the field of `Habits`, a name that two producers may share. producer: one of `producers.PRODUCERS`, empty for
    any that has no row. since, until: the versions of Substrait that plans with it say, from the first that has it to
    before the first that has not; None for no such end. meaning: what the plan means, in one sentence. evidence: where
    that was seen. value: what the field becomes; None for what `when` finds. when: a fact of the plan, by its name
    in `producers.FACTS`, without which the row is not about it.
    """

    name: str
    producer: str
    since: Version | None
    until: Version | None
    meaning: str
    evidence: str
    value: bool | str | None = True
    when: str = ""


UNVERSIONED: dict[str, Version] = {"duckdb": (0, 53), "datafusion": (1, 0)}
"""The version that a plan without one is taken to be of; any other is older than all that say one."""

# fmt: off
DEVIATIONS: tuple[Deviation, ...] = (
    # Acero, of pyarrow.
    Deviation("overflow_of_floats", "acero", None, None,
        "Arithmetic over floats has the option `overflow` too, which the extension file has not; nothing overflows.",
        "pyarrow writes it whatever the types are; test_wild.py"),
    Deviation("floats_have_no_zero_error", "acero", None, None,
        "A quotient of floats by zero is an infinity or NaN, a remainder is NaN.",
        "pyarrow"),
    Deviation("float_texts", "acero", None, None,
        "The text of a float has no exponent from 0.000001 to 10^10, and of a whole one no point.",
        "pyarrow; test_casts_of_floats.py",
        value="acero"),

    # DataFusion. Releases of the same version cannot be told apart: 40 and 41, 51 to 53.
    Deviation("project_replaces", "datafusion", None, (0, 57),
        "A projection without emit returns its expressions only.",
        "releases to 42; the count of the root's names shows it"),
    Deviation("grouping_masks", "datafusion", (0, 57), None,
        "Grouping sets return each key once, then a mask of the keys that a set leaves out, then the measures.",
        "all plans of releases from 43 on"),
    Deviation("sets_are_unnumbered", "datafusion", None, (0, 57),
        "Grouping sets return their keys and measures, and nothing that tells the sets apart.",
        "all plans of releases to 42"),
    Deviation("grouping_asks", "datafusion", None, None,
        "`grouping(key, …)` is a measure of an aggregation.",
        "test_wild.py"),
    Deviation("cuts_quotients", "datafusion", None, None,
        "What a quotient or an average of decimals has no places for is cut off.",
        "rows of all releases"),
    Deviation("floats_have_no_zero_error", "datafusion", None, None,
        "A quotient of floats by zero is an infinity or NaN, a remainder is NaN.",
        "rows of release 55; `by_zero` in test_producers_own.py"),
    Deviation("unsigned_by_variation", "datafusion", None, None,
        "The first variation of an integer type is unsigned.",
        "all releases; test_wild.py"),
    Deviation("has_no_null", "datafusion", None, (0, 57),
        "`array_has(l, NULL)` is FALSE, not NULL.",
        "rows of releases to 42"),
    Deviation("removes_null", "datafusion", None, (0, 85),
        "`array_remove(l, NULL)` takes a NULL out, and is not NULL.",
        "rows of releases to 53"),
    Deviation("dictionaries_are_maps", "datafusion", None, None,
        "A column of dictionary values (Arrow) is a map from indices to values, under the first variation of the type.",
        "all releases; test_wild.py"),
    Deviation("loses_nulls", "datafusion", None, None,
        "NOT IN is written as an anti join on equality.",
        "plans of its optimizer; test_lost.py"),
    Deviation("loses_parts", "datafusion", None, None,
        "FILTER, DISTINCT and IGNORE NULLS of a window are not written.",
        "all releases; test_lost.py"),
    Deviation("loses_offsets", "datafusion", None, None,
        "A RANGE frame with offsets that are no integers is written as one without ends.",
        "releases 40 to 55: win_range_frame_num as written, and every interval or decimal"),
    Deviation("loses_row_offsets", "datafusion", None, (0, 57),
        "An end of a ROWS frame that had an offset is written as an open one.",
        "releases to 42, plans that the optimizer has not seen: win_rows_following_only",
        when="reads_whole_rows"),
    Deviation("loses_limits", "datafusion", (0, 54), (0, 60),
        "How many rows a sort keeps is not written: ORDER BY k LIMIT 3 is ORDER BY k; with an OFFSET the fetch stays.",
        "releases 42 and 43, plans of the optimizer",
        when="masks_every_read"),
    Deviation("named_loss", "datafusion", None, None,
        "A result column's name tells what no plan has of a window: FILTER, DISTINCT, IGNORE NULLS, RANGE offsets.",
        "all releases; test_lost.py",
        value=None, when="names_what_is_lost"),
    Deviation("untyped_frames", "datafusion", None, (0, 33),
        "A window does not say whether its bounds count rows or peers.",
        "releases to 30; 28_peers_opt"),
    Deviation("two_valued_marks", "datafusion", None, None,
        "A mark join's mark is FALSE wherever it is not TRUE.",
        "NOT EXISTS(…) OR …, rows of all releases"),
    Deviation("fractional_parts", "datafusion", None, (0, 60),
        "`date_part` returns a double, the seconds with their fraction.",
        "rows of releases to 43"),
    Deviation("fractional_parts", "datafusion", (0, 60), None,
        "`date_part` returns a whole number; of a plan without a version the line of the dialect decides.",
        "rows of releases from 44 on",
        value=False, when="says_its_version"),
    Deviation("nanoseconds", "datafusion", None, (0, 48),
        "A number is a moment by its nanoseconds.",
        "releases to 32, `to_timestamp`; 32_nanoseconds_opt"),
    Deviation("durations", "datafusion", None, (0, 76),
        "The difference of two dates is an interval, not a number of days.",
        "rows of releases to 49; 28_subtract_opt"),
    Deviation("rounds_products", "datafusion", None, None,
        "A float becomes a decimal of at most 18 digits by its product with a power of ten, as a DOUBLE, rounded.",
        "rows of releases 28 to 55, CAST(0.285 AS DECIMAL(10, 2)) is 0.28; test_casts_of_floats.py",
        value="round"),
    Deviation("float_texts", "datafusion", None, (0, 49),
        "The text of a float has no exponent from 0.00001 to 10^10.",
        "rows of releases 28 and 32; test_casts_of_floats.py",
        value="datafusion 35"),
    Deviation("float_texts", "datafusion", (0, 49), None,
        "The text of a float has no exponent from 0.00001 to 10^16, of an fp32 from 0.000001 to 10^13.",
        "rows of releases 39 to 55; test_casts_of_floats.py",
        value="datafusion"),
    Deviation("moments_by_iso", "datafusion", None, None,
        "The text of a moment is that of ISO 8601, with a T and zone.",
        "release 55, CAST(ts AS VARCHAR); `moments` in test_producers_own.py"),

    # DuckDB: 0.48 is 1.0, 0.53 is 1.1. Its extension of 2026, which is 0.78, has none of these.
    Deviation("project_replaces", "duckdb", None, (0, 60),
        "A projection without emit returns its expressions only.",
        "the count of the root's names shows it; test_wild.py"),
    Deviation("needs_mask", "duckdb", None, (0, 60),
        "Ordinals over a read without mask count the columns that were bound, in an order that no plan records.",
        "all 95 unoptimised plans of 1.1.3; test_wild.py"),
    Deviation("not_equal_is_not_like", "duckdb", None, (0, 60),
        "NOT LIKE is written as `not_equal`.",
        "its own consumer reads it back as that; TPC-H 13 and 16"),
    Deviation("undeclared_types", "duckdb", None, (0, 60),
        "Types that the plan does not declare are those of the columns, whatever they are.",
        "ENUM; test_wild.py"),
    Deviation("casts_round", "duckdb", None, (0, 60),
        "A cast to an integer rounds, a float to even, a decimal away from zero.",
        "CAST(2.5 AS INT); test_wild.py"),
    Deviation("cuts_decimals", "duckdb", None, (0, 60),
        "A cast to a decimal of fewer places cuts the others off.",
        "CAST(2.29 AS DECIMAL(8, 1)) is 2.2 in 1.0 and 1.1, while 2.0 rounds; test_wild_versions.py"),
    Deviation("rounds_products", "duckdb", None, (0, 60),
        "A float becomes a decimal of at most 18 digits by its product with a power of ten, which is rounded to even.",
        "rows of 1.1, CAST(1.125 AS DECIMAL(10, 2)) is 1.12; test_casts_of_floats.py",
        value="rint"),
    Deviation("float_texts", "duckdb", None, (0, 60),
        "The text of a float has no exponent from 0.0001 to 10^16, else one with a sign and two digits.",
        "rows of 1.1; test_casts_of_floats.py",
        value="duckdb"),
    Deviation("null_by_zero", "duckdb", None, (0, 53),
        "A quotient of doubles by zero is NULL.",
        "rows of 1.0; test_wild_versions.py"),
    Deviation("floats_have_no_zero_error", "duckdb", (0, 53), (0, 60),
        "A quotient of floats by zero is an infinity or NaN, a remainder is NaN.",
        "rows of 1.1; test_wild_versions.py"),
    Deviation("null_remainders", "duckdb", None, (0, 60),
        "A remainder by zero is NULL.",
        "`modulus` and `%`, rows of 1.0 and 1.1; test_wild_versions.py"),
    Deviation("loses_filters", "duckdb", None, (0, 60),
        "What only some rows of a measure are for is not written.",
        "FILTER in 1.0 and 1.1; test_wild_versions.py"),
    Deviation("loses_distinct", "duckdb", None, (0, 53),
        "That a measure is over distinct values is not written.",
        "count(DISTINCT g) in 1.0; test_wild_versions.py"),
    Deviation("loses_copies", "duckdb", None, (0, 60),
        "UNION is written as UNION ALL, INTERSECT ALL and EXCEPT ALL as without ALL.",
        "1.0 and 1.1; test_lost.py",
        value="set"),
    Deviation("loses_sets", "duckdb", None, (0, 60),
        "Nothing is left of ROLLUP, CUBE and GROUPING SETS but their keys.",
        "1.0 and 1.1; test_lost.py"),
    Deviation("counts_from_end", "duckdb", None, (0, 60),
        "`substring` from a negative position counts from the end of the text, and 0 is before the first character.",
        "rows of 1.0 and 1.1; test_wild.py"),
    Deviation("micros_of_minute", "duckdb", None, (0, 60),
        "Extracted microseconds have the seconds in them.",
        "extract(microsecond FROM ts); test_wild.py"),
    Deviation("intervals_wrap", "duckdb", None, (0, 60),
        "What an interval has besides days is 32 bits of its microseconds; of a longer one hardly ever whole seconds.",
        "two hours are 48 minutes and some fraction of a second in 1.1; test_wild.py"),

    # Ibis writes the version of Substrait's bindings: 0.24 is 2.29, 0.32 is 3.0, 0.49 is 3.2, 0.50 is 4.0.
    Deviation("replaces_all", "ibis", None, None,
        "`regexp_replace` without an occurrence replaces every match, in the standard's cases the first one.",
        "`re_replace`; test_wild.py"),
    Deviation("divides_truly", "ibis", None, None,
        "`divide` that is declared a double has digits behind the point, whatever is divided.",
        "`/`; test_wild.py"),
    Deviation("capitalizes_whole", "ibis", None, None,
        "`capitalize` puts what is behind the first letter in lower case.",
        "all releases; test_wild_versions.py"),
    Deviation("overflow_of_floats", "ibis", None, None,
        "Arithmetic over floats has the option `overflow` too, which the extension file has not; nothing overflows.",
        "releases to 2.28; test_wild_versions.py",
        when="says_no_version"),
    Deviation("keys_apart", "ibis", None, (0, 49),
        "Each key of an aggregation is a grouping of its own, and there are no grouping sets.",
        "releases to 3.0; test_wild_versions.py"),
    Deviation("loses_not", "ibis", None, (0, 49),
        "NOT IN is written as IN.",
        "`notin` in releases to 3.0, while 3.2 and 4.0 write a `not`; test_wild_versions.py"),
    Deviation("lists_columns", "ibis", None, (0, 50),
        "x IN (SELECT y …) is written as x IN (a column of x's own table, at the place of y).",
        "releases to 3.2; test_wild_versions.py"),
    Deviation("loses_outer", "ibis", None, None,
        "A column of the query around an EXISTS is written as one of the query inside.",
        "all releases; test_wild_versions.py"),
    Deviation("loses_sides", "ibis", None, None,
        "A join of a relation with itself writes the other side's columns as the first one's.",
        "t.view(); TPC-H 7; test_lost.py"),
    Deviation("loses_copies", "ibis", None, None,
        "INTERSECT ALL and EXCEPT ALL are written as without ALL.",
        "`distinct=False`; test_lost.py",
        value="copies"),
    Deviation("loses_distinct_over", "ibis", None, None,
        "DISTINCT in a window is not written.",
        "x.nunique().over()"),
    Deviation("loses_where", "ibis", None, (0, 24),
        "For which rows a measure is, is not written.",
        "x.sum(where=…) in releases to 2.20"),
    Deviation("counts_from_zero", "ibis", None, None,
        "Positions in texts are those of the query, from 0.",
        "s[2:4] and s.find(x); test_wild_versions.py"),

    # Isthmus, of substrait-java.
    Deviation("omits_set_index", "isthmus", None, None,
        "The root names no index of the grouping set, and does not return it.",
        "CUBE in releases of before 0.18; test_wild.py",
        when="says_no_version"),
    Deviation("replaces_all", "isthmus", None, None,
        "`regexp_replace` without an occurrence replaces every match, in the standard's cases the first one.",
        "Calcite's REGEXP_REPLACE of three arguments; test_wild.py"),
    Deviation("floats_have_no_zero_error", "isthmus", None, None,
        "A quotient of floats by zero is an infinity or NaN, a remainder is NaN.",
        "Calcite"),

    # Our own, of a text of Spark's.
    Deviation("frames_overflow", "substrait-sql", None, None,
        "A distance of a RANGE frame that leads beyond the ends of its key's type is an error, as in Spark.",
        "range(9223372036854775804, 9223372036854775807) with 4 FOLLOWING; statements/windows.sql"),
    Deviation("bytes_are_text", "substrait-sql", None, None,
        "A cast of bytes to text takes them as they are, also where they are no UTF-8, as in Spark.",
        "CAST(X'DEAD' AS STRING); statements/functions.sql"),
    Deviation("exact_decimals", "substrait-sql", None, None,
        "A decimal has the digits that it is declared with, no more.",
        "0.00 / nullif(-0.1, 0) is DECIMAL(7, 6); statements/functions.sql"),

    # Anybody without a row above: the isthmus of before 0.18 said neither its version nor its name.
    Deviation("omits_set_index", "", None, None,
        "The root names no index of the grouping set, and does not return it.",
        "CUBE of isthmus before 0.18; test_wild.py",
        when="says_no_version"),
)
# fmt: on
