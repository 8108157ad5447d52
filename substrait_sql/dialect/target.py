"""What a dialect says of the text itself, beside functions and types: the metadata of its ``dialect.yaml``.

    metadata:
      extends: spark
      printer: spark            the dialect of sqlglot that prints trees
      quotes: '"'               what stands before and behind a name: one of ` " []
      reserved: reserved.txt    a file beside this one: the words that need quotes as names
      builtins: builtins.txt    likewise: the functions that the engine has by itself (builtins.py)
      functions: extension:…    the URN under which a plan calls those by their own names
      settings: […]             the session settings that the text relies on (settings.py)
      lacks: […]                what the engine cannot do with a query, or gets wrong (lacks.py)
      qualify: joins            where a column has its table before it: `joins`, `unprefixed`, `needed`
      since: "4.3"              the first release of the engine that it is for

All of it is inherited. Words, functions and settings are added to those of the dialect that is extended; a printer
comes with its own quotes, unless some are named beside it.
"""

from __future__ import annotations

import difflib
from copy import copy
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from typing import TYPE_CHECKING, Any, Final

from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from substrait_sql import style
from substrait_sql.dialect import builtins, lacks, settings
from substrait_sql.dialect.builtins import NONE, Builtins
from substrait_sql.dialect.files import json_schema
from substrait_sql.dialect.identifiers import Names
from substrait_sql.dialect.settings import Setting, Settings
from substrait_sql.errors import DialectError
from substrait_sql.rendered import QUALIFY, UNPREFIXED
from substrait_sql.style import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

QUOTES: Final = ("`", '"', "[]")
_TEXT: Final = {"type": "string"}
_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("printer", "reserved", "builtins", "functions"), _TEXT),
        "gives_back": {"type": "object", "additionalProperties": _TEXT},
        "quotes": {"enum": list(QUOTES)},
        "settings": {"type": "array", "items": settings.SCHEMA},
        "lacks": {"type": "array", "items": lacks.SCHEMA},
        "since": {"type": "string", "pattern": r"^\d+(\.\d+)*$"},
        "qualify": {"enum": list(QUALIFY)},
        "style": style.SCHEMA,
    },
}
OF_THE_DIALECT: Final = ("extends", "open_options", *_SCHEMA["properties"])
"""What only the metadata of ``dialect.yaml`` may say."""


@dataclass(frozen=True)
class Said:
    """What one folder says, None or nothing where it is silent."""

    printer: str | None = None
    quotes: str | None = None
    reserved: frozenset[str] | None = None
    builtins: Builtins = NONE
    settings: tuple[Setting, ...] = ()
    lacks: frozenset[str] = frozenset()
    since: str = ""
    qualify: str = ""
    style: Mapping[str, Any] = field(default_factory=dict)


def read(metadata: Mapping[str, Any], text_of: Callable[[str], str]) -> Said:
    """What the metadata of a ``dialect.yaml`` says, which has no problems. text_of: of a file beside it."""
    printer, quotes = metadata.get("printer"), metadata.get("quotes")
    if printer is not None and quotes is None:
        own = type(SqlglotDialect.get_or_raise(printer))
        quotes = own.IDENTIFIER_START + own.IDENTIFIER_END
    return Said(
        printer,
        quotes,
        frozenset(text_of(metadata["reserved"]).lower().split())
        if "reserved" in metadata
        else None,
        builtins.read(text_of(metadata["builtins"])) if "builtins" in metadata else NONE,
        tuple(map(settings.read, metadata.get("settings", ()))),
        lacks.read(metadata.get("lacks", ())),
        metadata.get("since", ""),
        metadata.get("qualify", ""),
        metadata.get("style", {}),
    )


def problems(
    metadata: Mapping[str, Any], text_of: Callable[[str], str]
) -> Iterator[json_schema.Problem]:
    """What is wrong with the metadata of a ``dialect.yaml``, and where. text_of: raises `OSError` without a file."""
    found = list(json_schema.problems(metadata, _SCHEMA, _SCHEMA))
    yield from found
    if found:
        return
    for key in metadata:
        # Authors may keep data of their own here, but a slip of the pen is none.
        close = [] if key in OF_THE_DIALECT else _alike(str(key))
        if close:
            yield (key,), f"the key {key!r} is not known here; did you mean {close[0]}?"
    for i, row in enumerate(metadata.get("settings", ())):
        what = settings.problem(row)
        if what:
            yield ("settings", i), what
    printer = metadata.get("printer")
    if printer is not None and SqlglotDialect.get(printer) is None:
        yield ("printer",), f"sqlglot has no dialect {printer!r}"
    for key in ("reserved", "builtins"):
        if key in metadata:
            try:
                text = text_of(metadata[key])
                builtins.read(text if key == "builtins" else "")
            except (OSError, ValueError) as error:
                yield (key,), f"the file {metadata[key]!r} cannot be read: {error}"


def _alike(key: str) -> list[str]:
    return difflib.get_close_matches(key, OF_THE_DIALECT, 1, 0.8)


class Target:
    """What a dialect and those it extends say together. said: nearest first."""

    def __init__(self, said: Sequence[Said]) -> None:
        self.printer = next((s.printer for s in said if s.printer is not None), "")
        self.quotes = next((s.quotes for s in said if s.quotes is not None), '"')
        words = [s.reserved for s in said if s.reserved is not None]
        self.names = Names(self.quotes, frozenset().union(*words) if words else None)
        self.builtins = reduce(Builtins.over, (s.builtins for s in said), NONE)
        listed = (setting for s in reversed(said) for setting in s.settings)
        self.settings = Settings(listed, self.names.quotes)
        self.lacks: frozenset[str] = frozenset().union(*(s.lacks for s in said))
        self.since = next((s.since for s in said if s.since), "")
        self.qualify = next((s.qualify for s in said if s.qualify), UNPREFIXED)
        self.style = reduce(Style.with_other, (s.style for s in reversed(said)), Style())

    def written(self, where: str | None, look: Mapping[str, Any] | None) -> Target:
        """The same with another word of `QUALIFY`, and another `Style`.

        Raises `DialectError` SS2411 or SS2412 for what there is not.
        """
        if where is not None and where not in QUALIFY:
            raise DialectError.of(
                "SS2411",
                f"columns cannot be qualified as {where!r}",
                hint=f"there are: {', '.join(QUALIFY)}",
            )
        other = copy(self)
        other.qualify = self.qualify if where is None else where
        other.style = self.style.with_other(look or {})
        return other

    @cached_property
    def grammar(self) -> SqlglotDialect:
        """The dialect of sqlglot that reads and prints the text."""
        return _grammar(self.printer, self.names.quotes)


@cache
def _grammar(printer: str, quotes: str) -> SqlglotDialect:
    """Sqlglot's dialect; one made for the purpose where names have other quotes than it has them in.

    Texts do not have those quotes then. It reads names in its own quotes as well.
    """
    base = SqlglotDialect.get_or_raise(printer)
    kind: Any = type(base)
    opening, closing = quotes[0], quotes[1]
    if quotes == kind.IDENTIFIER_START + kind.IDENTIFIER_END:
        return base
    tokenizer = kind.tokenizer_class
    own = [each for each in tokenizer.IDENTIFIERS if each[0] != opening]
    texts = [each for each in tokenizer.QUOTES if each[0] != opening]
    changed = {"IDENTIFIERS": [(opening, closing), *own], "QUOTES": texts}
    made = type(kind)(
        f"{kind.__name__}Quoting{ord(opening)}",
        (kind,),
        {"Tokenizer": type(tokenizer)("Tokenizer", (tokenizer,), changed)},
    )
    grammar: SqlglotDialect = made()
    return grammar
