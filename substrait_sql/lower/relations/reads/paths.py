r"""Where files are: from the URIs of a plan to what Spark's file readers take for the same place.

Spark takes every path for a pattern and lets a backslash stand before a character that is meant literally. With the
braces escaped there is no ``${`` left that it could substitute.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from substrait_sql.errors import refuse

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_PATTERN = re.compile(r"[\\*?\[\]{}]")
# A brace is a plain character in the patterns of POSIX, and a choice in those of Hadoop.
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_TABLE = re.compile(r"\w+")
_ENCODED = re.compile(r"((?:%[0-9A-Fa-f]{2})+)")


def spark_path(uri: str, kind: str, path: Path) -> str:
    r"""The path as Spark wants it. kind: the member of ``path_type``.

    >>> from substrait_sql.wire.path import ROOT
    >>> spark_path("/data/a[1].parquet", "uri_file", ROOT)
    '/data/a\\[1\\].parquet'
    >>> spark_path("file:///data/two%20words/*.orc", "uri_path_glob", ROOT)
    'file:///data/two words/*.orc'

    Raises `UnsupportedError`: SS2242 for a scheme that Spark cannot read, SS2243 for names that it skips or
    cannot read, SS2244 for patterns that it takes for others.
    """
    prefix, rest, encoded = _split(uri, path)
    if kind == "uri_path_glob":
        if "**" in rest:
            raise refuse(
                "SS2244",
                f"the pattern {uri!r} holds '**', which Spark reads as a single '*'",
                path,
                "name the folders one by one",
            )
        return prefix + _pattern(rest, encoded)
    literal = unquote(rest) if encoded else rest
    _check_name(literal, kind, path)
    if not prefix and _TABLE.fullmatch(literal):
        # A database called `parquet` could have a table of that name.
        prefix = "./"
    return prefix + _escaped(literal)


def location(uri: str, path: Path) -> str:
    """The place of one file as it is, for readers that know no patterns. Raises SS2242 as `spark_path` does."""
    prefix, rest, encoded = _split(uri, path)
    return prefix + (unquote(rest) if encoded else rest)


def _split(uri: str, path: Path) -> tuple[str, str, bool]:
    """The scheme as Spark wants it, the path behind it, and whether that is percent-encoded, as it is in a URI."""
    found = _SCHEME.match(uri)
    if found is None:
        return "", uri, False
    scheme, rest = found[1].lower(), uri[found.end() :]
    if scheme == "file":
        if not rest.startswith("/"):
            return "", rest, True
        if not rest.startswith("//"):
            return "file:", rest, True
        host, slash, below = rest[2:].partition("/")
        if slash and host in ("", "localhost"):
            return "file:///", below, True
    elif rest.startswith("//"):
        host, slash, below = rest[2:].partition("/")
        return f"{scheme}://{host}{slash}", below, True
    hint = (
        "Gluten writes it for rows that the engine gets while the query runs; there is no such input in SQL"
        if scheme == "iterator"
        else ""
    )
    raise refuse("SS2242", f"Spark cannot read files from {uri!r}", path, hint)


def _pattern(text: str, encoded: bool) -> str:
    """The pattern for Hadoop; what is percent-encoded in it is meant literally."""
    if not encoded:
        return _without_choices(text)
    parts = _ENCODED.split(text)
    return "".join(
        _escaped(unquote(part)) if i % 2 else _without_choices(part) for i, part in enumerate(parts)
    )


def _without_choices(pattern: str) -> str:
    return _BRACE.sub(lambda m: m[0] if m[0].startswith("\\") else f"\\{m[0]}", pattern)


def _escaped(text: str) -> str:
    return _PATTERN.sub(r"\\\g<0>", text)


def _check_name(literal: str, kind: str, path: Path) -> None:
    """Refuses names that Spark passes over: of a text file with such a name it would return no rows."""
    name = literal.rstrip("/").rpartition("/")[2]
    if kind == "uri_folder" or name in ("", ".", ".."):
        return
    if name.startswith(".") or (name.startswith("_") and "=" not in name):
        raise refuse(
            "SS2243",
            f"Spark passes over files whose names begin with '_' or '.', such as {name!r}",
            path,
            "rename the file, or give its folder if that is what is meant",
        )
    if ":" in name:
        raise refuse(
            "SS2243",
            f"Spark cannot read a file with a colon in its name, such as {name!r}",
            path,
            "rename the file",
        )


_WORD = re.compile(r"[A-Za-z]\w*", re.ASCII)
_PART = re.compile(r"(part|data|file|chunk)?\d*", re.ASCII)


def table_word(spark: str) -> str:
    """A word for the files: the name of the file, or of the folder around the parts of a table.

    >>> table_word("/data/orders.parquet"), table_word("/data/orders/part-00000-1a.parquet")
    ('orders', 'orders')
    """
    for step in reversed(spark.rstrip("/").split("/")):
        stem = step.partition(".")[0]
        if _WORD.fullmatch(stem) and not _PART.fullmatch(stem):
            return stem
    return "files"
