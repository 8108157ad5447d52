"""The deviations of Acero, isthmus, our own plans, and those of nobody that is known: rows of `DEVIATIONS`."""

from __future__ import annotations

from substrait_sql.plan.deviations.row import Deviation

# fmt: off
ROWS = (
    # Acero, of pyarrow.
    Deviation("overflow_of_floats", "acero", None, None,
        "Arithmetic over floats, and abs and negate of decimals, have the option `overflow` too, which the extension "
        "file has not; nothing overflows.",
        "pyarrow writes it whatever the types are; test_wild.py"),
    Deviation("floats_have_no_zero_error", "acero", None, None,
        "A quotient of floats by zero is an infinity or NaN, a remainder is NaN.",
        "pyarrow"),
    Deviation("nan_is_unequal", "acero", None, None,
        "NaN equals nothing, itself included, and is neither more nor less than a number.",
        "pyarrow; test_floats.py"),
    Deviation("moment_texts", "acero", None, None,
        "The text of a moment or a time of day has all digits of its type, with a zone also the distance from UTC.",
        "pyarrow; test_floats.py",
        value="full"),
    Deviation("float_texts", "acero", None, None,
        "The text of a float has no exponent from 0.000001 to 10^10, and of a whole one no point.",
        "pyarrow; test_floats.py",
        value="acero"),
    Deviation("moment_units", "acero", None, None,
        "What a moment has below the second or millisecond of its type is cut off towards 1970.",
        "pyarrow 26, cast(timestamp('s'), safe=False); test_acero.py",
        value="towards 1970"),
    Deviation("arrow_types", "acero", None, None,
        "Types that Substrait has no class for are declared by Arrow's names: large_string is a string, u8 to u64 are "
        "unsigned, date_millis is a date; their literals are numbers and texts wrapped by protobuf.",
        "pyarrow 16 to 26; test_acero.py"),
    Deviation("names_behind", "acero", None, None,
        "The name of an output stands behind those of its fields; elements of lists and entries of maps have names.",
        "pyarrow 16 to 26; test_acero.py"),
    Deviation("casts_by_name", "acero", None, None,
        "A cast of a struct is by the names of its fields, of which the plan has not those of the new type; a name "
        "that is new is NULL.",
        "pyarrow 20 to 26; test_acero.py",
        value="or NULL"),

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

    # Anybody without a row above: the isthmus of before 0.18 said neither its version nor its name, substrait-python
    # says no name to this day.
    Deviation("omits_set_index", "", None, None,
        "The root names no index of the grouping set, and does not return it.",
        "CUBE of isthmus before 0.18; `rollup` of substrait-python 0.37; test_wild.py, test_substrait_python.py",
        when="says_no_version_or_name"),
)
# fmt: on
