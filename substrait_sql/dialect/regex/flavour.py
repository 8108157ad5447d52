"""The flavours of regular expressions that plans hold, by what they differ in."""

from __future__ import annotations

from dataclasses import dataclass

from substrait_sql.dialect.regex.nodes import Fold


@dataclass(frozen=True)
class Flavour:
    r"""What one flavour has and means.

    name: for messages. breaks: all line ends of Unicode end a line, not LF alone. pairs: CR LF is one character
    to a dot that matches everything. before_last: `$` is also before the line end that ends the text.
    after_last: `^` with `(?m)` is also behind that. fold: what `(?i)` means. unicode: `\w`, `\d`, `\s`, `\b` know
    more than ASCII. marks: see `Boundary`. posix: `[:alpha:]` is all of Unicode. nests: a set may stand in a set.
    operators: of sets. flags: letters that may stand in `(?…)`. backtracks: groups may be referred to, looked around
    and kept for good. escapes: letters whose escape is understood beyond those that all have. any_escape: other
    letters stand for themselves.
    """

    name: str
    breaks: bool
    pairs: bool
    before_last: bool
    after_last: bool
    fold: Fold
    unicode: bool
    marks: bool
    posix: bool
    nests: bool
    operators: tuple[str, ...]
    flags: str
    backtracks: bool
    escapes: str
    any_escape: bool


# https://unicode-org.github.io/icu/userguide/strings/regexp.html, and the rows of ICU 72 where it is silent.
ICU = Flavour(
    name="ICU",
    breaks=True,
    pairs=True,
    before_last=True,
    after_last=False,
    fold=Fold.FULL,
    unicode=True,
    marks=True,
    posix=True,
    nests=True,
    operators=("&&", "--"),
    flags="idmsuwx",
    backtracks=True,
    escapes="aceuUZGRhHVXNkQ",
    any_escape=True,
)
# https://docs.rs/regex: DataFusion's.
RUST = Flavour(
    name="Rust",
    breaks=False,
    pairs=False,
    before_last=False,
    after_last=True,
    fold=Fold.SIMPLE,
    unicode=True,
    marks=False,
    posix=False,
    nests=True,
    operators=("&&", "--"),
    flags="imsuxU",
    backtracks=False,
    escapes="auU",
    any_escape=False,
)
# https://github.com/google/re2/wiki/Syntax: DuckDB's.
RE2 = Flavour(
    name="RE2",
    breaks=False,
    pairs=False,
    before_last=False,
    after_last=True,
    fold=Fold.SIMPLE,
    unicode=False,
    marks=False,
    posix=False,
    nests=False,
    operators=(),
    flags="imsU",
    backtracks=False,
    escapes="aQ",
    any_escape=False,
)
