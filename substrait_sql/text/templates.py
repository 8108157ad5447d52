"""Statements out of templates: Jinja in a sandbox, over markers, and what comes out is checked.

A template never sees the query. It gets a word that stands for it, as for the other finished texts (a condition, a new
value, a default): that word has to stand in the statement once, outside of quotes and comments, and then the text is
put in its place. So no template takes a query apart, leaves it out or has it twice.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from substrait_sql import resources
from substrait_sql.dialect.strings import in_quotes
from substrait_sql.errors import UnsupportedError
from substrait_sql.text.target_name import Relation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment
    from sqlglot.dialects.dialect import Dialect as Grammar
    from sqlglot.tokenizer_core import Token

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.dialect.identifiers import Names

_CREATE: Final = r"CREATE( OR REPLACE)?"
HEADS: Final[Mapping[str, str]] = {
    "view": rf"{_CREATE}( GLOBAL)?( TEMPORARY| TEMP)? VIEW( IF NOT EXISTS)?",
    "table": rf"{_CREATE} TABLE( IF NOT EXISTS)?",
    "insert": r"INSERT( WITH SCHEMA EVOLUTION)? INTO( TABLE)?",
    "overwrite": r"INSERT OVERWRITE( TABLE)?",
    "merge": r"MERGE( WITH SCHEMA EVOLUTION)? INTO",
    "create_table": rf"{_CREATE} TABLE( IF NOT EXISTS)?",
    "drop_table": r"DROP TABLE( IF EXISTS)?",
    "alter_view": r"ALTER VIEW",
    "alter_table": r"ALTER TABLE",
    "refresh_table": r"REFRESH TABLE",
    "drop_view": r"DROP VIEW( IF EXISTS)?",
    "update": r"UPDATE",
    "delete": r"DELETE FROM",
    "create_like": r"CREATE TABLE",
    "mark_table": r"ALTER TABLE",
    "truncate_table": r"TRUNCATE TABLE",
    "temporary_view": rf"{_CREATE} (TEMPORARY|TEMP) VIEW",
}
"""The templates there are, and what a statement of each begins with, before its target."""

ENDING: Final = ".sql.jinja"
_LONGEST_HEAD: Final = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A finished text of a statement. what: it is, for messages."""

    what: str
    text: str


class Templates:
    """The templates of a dialect. own: folders of a user's, each goes before those of the dialect.

    Raises SS3217 for a folder that is not there or holds a template of no kind.
    """

    def __init__(self, dialect: Dialect, own: Sequence[Path] = ()) -> None:
        self.names = dialect.names
        self.grammar = dialect.target.grammar
        theirs = [f for f in dialect.template_folders if f.is_dir()]
        for folder in (*own, *theirs):
            _check_folder(folder)
        shipped = (resources.TEMPLATES / name for name in dialect.chain)
        self._folders = (*own, *theirs, *shipped)

    def file(self, kind: str) -> Path:
        """The template of a kind. Raises SS3205 if there is none."""
        name = kind + ENDING
        found = next((f / name for f in self._folders if (f / name).is_file()), None)
        if found is None:
            raise self._none(kind)
        return found

    def check(self) -> None:
        """Raises SS3210 for a template that cannot be read, whether a statement needs it or not."""
        for kind in HEADS:
            if any((folder / (kind + ENDING)).is_file() for folder in self._folders):
                self._template(kind)

    def render(self, kind: str, target: Relation, **known: Any) -> str:
        """The statement of this kind on this target. known: what the template gets; a `Piece` is finished text.

        Raises SS3204 when what comes out is not exactly one statement, SS3205 without a template, SS3210 for one that
        fails, SS3215 where a piece is not there once, SS3216 for another kind or target.
        """
        pieces: dict[str, Piece] = {}
        given = {name: _marked(value, pieces) for name, value in known.items()}
        text = self._text(kind, {"relation": target, **given}).strip()
        tokens = _tokens(text, self.grammar)
        for marker, piece in pieces.items():
            _check_piece(marker, piece, text, tokens)
        _check_head(kind, target, text, tokens)
        made = text
        for marker, piece in pieces.items():
            made = made.replace(marker, piece.text, 1)
        _one_statement(made, self.grammar)
        return made

    def _template(self, kind: str) -> Template:
        from jinja2 import TemplateError, TemplateNotFound

        name = kind + ENDING
        try:
            return _environment(self.names, self._folders).get_template(name)
        except TemplateNotFound as error:
            if error.name != name:
                raise _failed(kind, error) from error
            raise self._none(kind) from error
        except (TemplateError, UnicodeDecodeError) as error:
            raise _failed(kind, error) from error

    def _text(self, kind: str, known: Mapping[str, Any]) -> str:
        template = self._template(kind)
        try:
            return template.render(known)
        except UnsupportedError:
            raise
        # A template is a program, and fails as programs do.
        except Exception as error:
            raise _failed(kind, error) from error

    def _none(self, kind: str) -> UnsupportedError:
        looked = ", ".join(f"{f.name}/{kind}{ENDING}" for f in self._folders)
        return UnsupportedError.of(
            "SS3205",
            f"no dialect has a template for {kind!r}; looked for {looked or 'nothing'}",
            hint=f"templates live in {resources.TEMPLATES.name}/",
        )


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise UnsupportedError.of("SS3217", f"there is no folder of templates {str(folder)!r}")
    for path in sorted(folder.glob("*" + ENDING)):
        kind = path.name.removesuffix(ENDING)
        if kind not in HEADS and not kind.startswith("_"):
            raise UnsupportedError.of(
                "SS3217",
                f"there is no statement of kind {kind!r} for {path}",
                hint=f"kinds: {', '.join(HEADS)}; a file that others include begins with _",
            )


@lru_cache(maxsize=32)
def _environment(names: Names, folders: tuple[Path, ...]) -> SandboxedEnvironment:
    """What runs templates: no attribute that begins with ``_``, no globals, no file outside of the folders."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        # The folder of all: a template of a user's may extend spark/view.sql.jinja.
        loader=FileSystemLoader([*folders, resources.TEMPLATES]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        keep_trailing_newline=False,
    )
    environment.globals.clear()
    environment.filters["ident"] = partial(_ident, names)
    environment.filters["literal"] = _literal
    environment.filters["refuse"] = _refuse
    return environment


def _ident(names: Names, value: str | Relation) -> str:
    return str(value) if isinstance(value, Relation) else names.quote(value)


def _literal(value: object) -> str:
    return in_quotes(str(value))


def _refuse(why: object) -> str:
    """For a template of an engine that has no words for what is asked of it."""
    raise UnsupportedError.of("SS3218", f"the statement is refused: {why}")


def _marked(value: Any, pieces: dict[str, Piece]) -> Any:
    """The value with a marker for each piece in it."""
    if isinstance(value, Piece):
        marker = f"piece_{secrets.token_hex(8)}"
        pieces[marker] = value
        return marker
    if isinstance(value, dict):
        return {k: _marked(v, pieces) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(_marked(v, pieces) for v in value)
    return value


def _check_piece(marker: str, piece: Piece, text: str, tokens: Sequence[Token]) -> None:
    found = sum(token.text == marker and token.token_type.name == "VAR" for token in tokens)
    if found == 1 and text.count(marker) == 1:
        return
    if marker not in text:
        what = f"it leaves {piece.what} out"
    elif found == 0:
        what = f"it has {piece.what} inside quotes, a comment or another word"
    else:
        what = f"it has {piece.what} more than once"
    raise UnsupportedError.of(
        "SS3215", f"the template is not right: {what}", hint="write {{ … }} once, as it is"
    )


def _check_head(kind: str, target: Relation, text: str, tokens: Sequence[Token]) -> None:
    head = re.compile(HEADS[kind])
    words = [" ".join(token.text.split()).upper() for token in tokens[:_LONGEST_HEAD]]
    ends = [n for n in range(1, len(words) + 1) if head.fullmatch(" ".join(words[:n]))]
    if not ends:
        raise _other(text, f"it is no statement of the kind {kind}")
    name = [part for each in target.parts for part in (each, ".")][:-1]
    if not any(_begins(tokens[n:], name) for n in ends):
        raise _other(text, f"its target is not {target}")


def _begins(tokens: Sequence[Token], name: Sequence[str]) -> bool:
    after = tokens[len(name) : len(name) + 1]
    found = [token.text for token in tokens[: len(name)]]
    return found == list(name) and not any(t.token_type.name == "DOT" for t in after)


def _one_statement(text: str, grammar: Grammar) -> None:
    """The whole text is not parsed: real queries hold what Spark takes and sqlglot does not, and nest deeper."""
    depth = 0
    for token in _tokens(text, grammar):
        kind = token.token_type.name
        if kind == "SEMICOLON":
            raise _broken(text, "there is a semicolon outside quotes")
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        if depth < 0:
            break
    if depth != 0:
        raise _broken(text, "its parentheses do not match")


def _tokens(text: str, grammar: Grammar) -> list[Token]:
    from sqlglot.errors import SqlglotError

    try:
        return grammar.tokenize(text)
    except SqlglotError as error:
        raise _broken(text, str(error).splitlines()[0]) from error


def _failed(kind: str, error: Exception) -> UnsupportedError:
    what = str(error).splitlines()[0] if str(error) else type(error).__name__
    return UnsupportedError.of(
        "SS3210",
        f"the template {kind}{ENDING} cannot be used: {what}",
        hint="a template sees its own variables and the files beside it, and nothing else",
    )


def _other(text: str, why: str) -> UnsupportedError:
    return UnsupportedError.of(
        "SS3216",
        f"the template makes another statement: {why} (it begins: {_first(text)})",
        hint="a template of your own makes the statement that it is named after",
    )


def _broken(text: str, why: str) -> UnsupportedError:
    return UnsupportedError.of(
        "SS3204",
        f"the statement would not be exactly one: {why} (it begins: {_first(text)})",
        hint="check the template",
    )


def _first(text: str) -> str:
    return text.strip().split("\n")[0][:80]
