"""The deviations of Ibis: rows of `DEVIATIONS`."""

from __future__ import annotations

from substrait_sql.plan.deviations.row import Deviation

# fmt: off
ROWS = (
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
    Deviation("merges_keys", "ibis", (0, 50), None,
        "Above what passes the rows of an inner join on, two keys of one name are one column.",
        "t.join(u, 'k').filter(…) in 4.0; test_merged_keys.py"),
    Deviation("loses_copies", "ibis", None, None,
        "INTERSECT ALL and EXCEPT ALL are written as without ALL.",
        "`distinct=False`; test_lost.py",
        value="copies"),
    Deviation("loses_distinct_over", "ibis", None, None,
        "DISTINCT in a window is not written, nor what a variance there is one of.",
        "x.nunique().over(), x.var(how='pop').over()"),
    Deviation("loses_frames", "ibis", None, None,
        "Whether a frame counts rows or goes by values is not written.",
        "ibis.range_window(preceding=5) in 4.0; test_lost.py"),
    Deviation("loses_where", "ibis", None, (0, 24),
        "For which rows a measure is, is not written.",
        "x.sum(where=…) in releases to 2.20"),
    Deviation("counts_from_zero", "ibis", None, None,
        "Positions in texts are those of the query, from 0.",
        "s[2:4] and s.find(x); test_wild_versions.py"),
)
# fmt: on
