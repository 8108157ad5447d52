"""What may be said of a statement around a query: formats, partitions, comments, constraints, keys.

Values are hostile until they are quoted: names and texts are quoted by the templates, words are checked here, and
expressions must be one expression, which goes into parentheses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.errors import UnsupportedError
from substrait_sql.text.kinds import OVERWRITES
from substrait_sql.text.target_name import Relation, parse_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlglot.dialects.dialect import Dialect as Grammar

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.dialect.identifiers import Names

_FORMAT = re.compile(r"[A-Za-z][A-Za-z0-9_.]*\Z")
_TRANSFORM = re.compile(r"([A-Za-z]+)\(\s*(?:([0-9]+)\s*,\s*)?(.+?)\s*\)\Z")
_TRANSFORMS: Final = ("years", "months", "days", "hours", "bucket", "truncate")
NOTHING: Final[dict[str, Any]] = {
    "mode": "",
    "format": None,
    "location": None,
    "partition_by": (),
    "cluster_by": (),
    "bucket_by": (),
    "buckets": None,
    "properties": (),
    "options": (),
    "comment": None,
    "checks": (),
    "temporary": False,
    "by_name": False,
    "partition": (),
    "partition_overwrite": None,
}
"""What templates get where no options are given."""


# The options that are lists of columns.
_OF_COLUMNS = ("partition_by", "cluster_by", "bucket_by", "not_null", "key")


def _of(*kinds: str, what: str = "") -> Any:
    metadata = {"kinds": kinds, "what": what}
    return field(default=None, metadata=metadata)


@dataclass(frozen=True)
class Options:
    """The options of a statement around a query. Each belongs to some kinds of statement; None is: not given.

    checks: by the names of the constraints. partition: values of partitions by column, as texts. key: of a merge.
    """

    format: str | None = _of("table", "ctas")
    location: str | None = _of("table", "ctas")
    partition_by: Sequence[str] | None = _of("table", "ctas")
    cluster_by: Sequence[str] | None = _of("table", "ctas")
    bucket_by: Sequence[str] | None = _of("table", "ctas")
    buckets: int | None = _of("table", "ctas")
    properties: Mapping[str, str] | None = _of("view", "table", "ctas")
    table_options: Mapping[str, str] | None = _of("table", "ctas")
    comment: str | None = _of("view", "table", "ctas")
    column_comments: Mapping[str, str] | None = _of("view", "table")
    not_null: Sequence[str] | None = _of("table")
    defaults: Mapping[str, str] | None = _of("table")
    checks: Mapping[str, str] | None = _of("table")
    if_not_exists: bool | None = _of("view", "table", "ctas")
    or_replace: bool | None = _of("view", "table", "ctas")
    temporary: bool | None = _of("view")
    by_name: bool | None = _of("insert", "overwrite")
    partition: Mapping[str, str] | None = _of("insert", "overwrite")
    partition_overwrite: str | None = _of("overwrite")
    key: Sequence[str] | None = _of("merge")

    @classmethod
    def of(cls, given: Mapping[str, Any] | Options | None, kind: str) -> Options:
        """The options for a kind of statement; one column may be its name alone.

        Raises SS3211 for one that is not known or not of this kind.
        """
        if isinstance(given, Options):
            given = {f.name: getattr(given, f.name) for f in fields(given)}
        wanted: dict[str, Any] = {
            name: (value,) if name in _OF_COLUMNS and isinstance(value, str) else value
            for name, value in (given or {}).items()
            if value not in (None, (), {})
        }
        known = {f.name: f.metadata["kinds"] for f in fields(cls)}
        for name in wanted:
            if kind not in known.get(name, ()):
                there = ", ".join(n for n, kinds in known.items() if kind in kinds) or "none"
                raise UnsupportedError.of(
                    "SS3211",
                    f"a statement of kind {kind!r} has no option {name!r}",
                    hint=f"options there are: {there}",
                )
        return cls(**wanted)

    @property
    def defines_columns(self) -> bool:
        """Whether the columns have to be written down: a table made of rows cannot say this of its columns."""
        return any((self.column_comments, self.not_null, self.defaults, self.checks))

    def check(self, kind: str) -> None:
        """Raises SS3212 for a value of no use, SS3213 for options that do not go together."""
        if self.format is not None and not _FORMAT.match(self.format):
            raise _value("format", self.format, "the name of a data source, such as parquet")
        if self.partition_overwrite not in (None, *OVERWRITES):
            raise _value("partition_overwrite", self.partition_overwrite, "static or dynamic")
        if self.buckets is not None and not (
            isinstance(self.buckets, int)
            and not isinstance(self.buckets, bool)
            and self.buckets > 0
        ):
            raise _value("buckets", self.buckets, "a whole number above 0")
        if self.if_not_exists and self.or_replace:
            raise _together("if_not_exists and or_replace exclude each other")
        if (self.bucket_by is None) != (self.buckets is None):
            raise _together("bucket_by and buckets go together")
        if self.cluster_by and (self.partition_by or self.bucket_by):
            raise _together("cluster_by excludes partition_by and bucket_by")
        if self.temporary and (self.properties or self.if_not_exists):
            raise _together("a temporary view has no properties, and is not left as it is")
        if self.partition and self.partition_overwrite == "dynamic":
            raise _together("with partition there is nothing dynamic: its values are given")
        if self.if_not_exists and self.defines_columns:
            raise _together(
                "with columns of its own the table is made first, and filled whether it was there or not",
                "leave if_not_exists out, or what is said of columns",
            )
        if kind == "merge" and not self.key:
            raise _together("a merge needs the key by which rows are found", "pass key, or --key")


def column_of(name: str, columns: Sequence[str], option: str) -> str:
    """The column of the query of this name, in any case. Raises SS3214 if there is none."""
    for column in columns:
        if column.casefold() == name.casefold():
            return column
    raise UnsupportedError.of(
        "SS3214",
        f"{option}: the query has no column {name!r}",
        hint=f"columns: {', '.join(columns)}",
    )


def partitions(given: Sequence[str], columns: Sequence[str], names: Names) -> list[dict[str, Any]]:
    """Each as the template wants it: transform (may be empty), number (or None), column.

    Raises SS3212 for what is none, SS3214 for a column that is not there.
    """
    found = []
    for text in given:
        match = _TRANSFORM.match(text)
        transform, number, name = ("", None, text) if match is None else match.groups()
        if transform and (
            transform.lower() not in _TRANSFORMS
            or (number is not None) != (transform.lower() in ("bucket", "truncate"))
        ):
            raise _value("partition_by", text, "a column, days(column) or bucket(8, column)")
        column = parse_name(name, names)
        parts = (column_of(column.parts[0], columns, "partition_by"), *column.parts[1:])
        found.append({"transform": transform, "number": number, "column": Relation(parts, names)})
    return found


def expression(text: str, option: str, dialect: Dialect) -> str:
    """An expression of the user's, in parentheses: nothing in it can end them.

    Raises SS3212 for anything else than one expression without queries and comments.
    """
    what = "one expression, without a query, a semicolon or a comment"
    if "${" in text or not text.strip() or not _is_one(text, dialect.target.grammar):
        raise _value(option, text, what)
    return f"({text.strip()})"


def _is_one(text: str, grammar: Grammar) -> bool:
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tokens = grammar.tokenize(text)
        parsed = grammar.parse(f"SELECT ({text})")
    except SqlglotError:
        return False
    if len(parsed) != 1 or any(token.comments for token in tokens):
        return False
    depth = 0
    for token in tokens:
        kind = token.token_type.name
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        if kind == "SEMICOLON" or depth < 0:
            return False
    tree = parsed[0]
    strange = exp.Query, exp.Tuple, exp.Command, exp.Placeholder, exp.Parameter
    return (
        depth == 0
        and isinstance(tree, exp.Select)
        and len(tree.expressions) == 1
        and isinstance(tree.expressions[0], exp.Paren)
        and not any(tree.expressions[0].find_all(*strange))
    )


def _value(option: str, value: object, wanted: str) -> UnsupportedError:
    return UnsupportedError.of("SS3212", f"{option}: {value!r} is not {wanted}")


def _together(what: str, hint: str = "") -> UnsupportedError:
    return UnsupportedError.of("SS3213", what, hint=hint)
