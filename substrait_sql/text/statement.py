"""Wraps a finished query in a statement: ``CREATE VIEW``, ``CREATE TABLE … AS``, ``INSERT INTO``.

A statement is one Jinja template, ``templates/<dialect>/<kind>.sql.jinja``, found along the
dialect's chain. It gets the query as text and the target as a `Relation`; a query is never made by
a template.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from substrait_sql.dialect.strings import in_quotes
from substrait_sql.errors import InvalidPlanError, SubstraitSqlError, UnsupportedError
from substrait_sql.rendered import Statement
from substrait_sql.resources import TEMPLATES
from substrait_sql.text.generate import generate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jinja2 import Environment
    from sqlglot.dialects.dialect import Dialect as Grammar
    from sqlglot.tokenizer_core import Token

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.dialect.identifiers import Names
    from substrait_sql.lower.statements import Action
    from substrait_sql.rendered import View

KINDS = {"view": "view", "table": "table", "ctas": "table", "insert": "insert"}
"""The kinds of statement, and the template of each."""

PLAN_KINDS = {
    "insert": "insert",
    "ctas": "table",
    "create_table": "create_table",
    "drop_table": "drop_table",
    "create_view": "view",
    "alter_view": "alter_view",
    "drop_view": "drop_view",
    "update": "update",
    "delete": "delete",
}
"""The kinds of statement that a plan itself can ask for, and the template of each."""

TEMPORARY_VIEW = "temporary_view"
"""The kind of the statements that come before a query; they change nothing that lasts."""

_PROBE = "SELECT 1"


@dataclass(frozen=True, slots=True)
class Relation:
    """The name of a table or view, in parts. Its text is quoted where it must be. names: how the dialect writes those.

    >>> from substrait_sql.dialect.identifiers import Names
    >>> print(Relation(("sales", "order lines"), Names("`", frozenset())))
    sales.`order lines`
    """

    parts: tuple[str, ...]
    names: Names

    def __str__(self) -> str:
        return ".".join(map(self.names.quote, self.parts))

    @property
    def name(self) -> str:
        """The last part, unquoted."""
        return self.parts[-1]


def parse_name(text: str, names: Names) -> Relation:
    """A name as it is written in SQL: parts between dots, a part in the dialect's quotes taken as it is.

    >>> from substrait_sql.dialect.identifiers import Names
    >>> parse_name("db.`a.b`", Names("`", frozenset())).parts
    ('db', 'a.b')

    Raises `InvalidPlanError` SS3201 for text that is not a name, and `UnsupportedError` SS3202 for
    a name that Spark would replace part of.
    """
    parts: list[str] = []
    at = 0
    opening, closing = map(re.escape, names.quotes)
    part = re.compile(
        rf"{opening}((?:[^{closing}]|{closing}{closing})+){closing}|([^{opening}{closing}.]+)"
    )
    hint = f"write db.table, or db.{names.in_quotes('odd table')}"
    while True:
        found = part.match(text, at)
        if found is None:
            raise InvalidPlanError.of("SS3201", f"not a name: {text!r}", hint=hint)
        inside = found.group(1)
        end = names.quotes[1]
        parts.append(inside.replace(end * 2, end) if inside else found.group(2).strip())
        at = found.end()
        if at == len(text):
            break
        if text[at] != "." or not parts[-1]:
            raise InvalidPlanError.of("SS3201", f"not a name: {text!r}", hint=hint)
        at += 1
    return relation(parts, names)


def relation(parts: Sequence[str], names: Names) -> Relation:
    """A `Relation` of these parts, checked. Raises as `parse_name` does."""
    if not parts or not all(parts):
        raise InvalidPlanError.of(
            "SS3201", f"not a name: {'.'.join(parts)!r}", hint="no part may be empty"
        )
    if any("${" in part for part in parts):
        # Spark replaces ${...} in the text before it parses it, inside backticks too.
        raise UnsupportedError.of(
            "SS3202",
            f"the name {'.'.join(parts)!r} holds '${{', where Spark would put a variable's value",
            hint="choose another name",
        )
    return Relation(tuple(parts), names)


def as_statement(query: str, kind: str, name: str | Sequence[str], dialect: Dialect) -> str:
    """The statement that makes a view or table of `query`, or inserts its rows into a table.

    query: one SELECT without a semicolon. kind: ``view``, ``table`` (also called ``ctas``) or
    ``insert``.
    name: the target as SQL text (``db.t``), or its parts.

    Raises: SS3201 and SS3202 for the name, SS3203 for an unknown kind, SS3204 when what comes out
    is not exactly one statement, SS3205 when no dialect of the chain has the template, SS3206 for a
    view or table with two columns of one name.
    """
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise UnsupportedError.of(
            "SS3203", f"there is no statement of kind {kind!r}", hint=f"kinds: {known}"
        )
    names, grammar = dialect.names, dialect.target.grammar
    target = parse_name(name, names) if isinstance(name, str) else relation(name, names)
    template = KINDS[kind]
    body = query.strip()
    if template != "insert":
        _distinct_columns(body, template, grammar)
    render = _template(template, dialect)
    _one_target(
        render(query=_PROBE, relation=target, columns=(), mode=""), template, target, grammar
    )
    text = render(query=body, relation=target, columns=(), mode="").strip()
    _one_statement(text, grammar)
    return text


def of_actions(
    actions: Sequence[Action], query: str, root: int, dialect: Dialect, wanted: str | None
) -> list[Statement]:
    """The statements that a plan itself asks for, over its query.

    wanted: the kind of statement that the caller asks for; there cannot be two (SS3207).
    """
    if wanted is not None:
        raise UnsupportedError.of(
            "SS3207", "the plan is a statement of its own", hint="render it without --statement"
        )
    found = []
    write = partial(generate, target=dialect.target)
    for action in actions:
        target = relation(action.target, dialect.names)
        render = _template(PLAN_KINDS[action.kind], dialect)
        columns = [
            {
                "name": c.name,
                "type": c.type,
                "required": c.required,
                "default": write(c.default) if c.default is not None else "",
            }
            for c in action.columns
        ]
        known: dict[str, object] = {
            "relation": target,
            "columns": columns,
            "mode": action.mode,
            "alias": action.alias,
            "assignments": [(name, write(value, indent=2)) for name, value in action.assignments],
            "condition": write(action.condition, indent=2) if action.condition is not None else "",
        }
        text = render(query=query, **known).strip()
        _one_statement(text, dialect.target.grammar)
        found.append(Statement(text, action.kind, root))
    return found


def temporary_views(views: Sequence[View], root: int, dialect: Dialect) -> list[Statement]:
    """The statements that make the temporary views a plan reads. root: the first that may read them."""
    render = _template(TEMPORARY_VIEW, dialect)
    found = []
    for view in views:
        name = relation([view.name], dialect.names)
        text = render(relation=name, using=view.using, options=view.options)
        _one_statement(text.strip(), dialect.target.grammar)
        found.append(Statement(text.strip(), TEMPORARY_VIEW, root))
    return found


def refuse_lasting_views(statements: Sequence[Statement]) -> None:
    """Raises `UnsupportedError` SS3208 where a view that stays would read one that does not: Spark does not take it."""
    for statement in statements:
        if statement.kind in ("view", "create_view", "alter_view"):
            raise UnsupportedError.of(
                "SS3208",
                "the view would read a temporary one",
                f"relations[{statement.root}]",
                hint="make a table of it, or read the Iceberg table by its name in a catalog",
            )


def _template(kind: str, dialect: Dialect) -> Callable[..., str]:
    from jinja2 import TemplateNotFound, TemplatesNotFound

    names = [f"{folder}/{kind}.sql.jinja" for folder in dialect.chain]
    try:
        return _environment(dialect.names).select_template(names).render
    except (TemplatesNotFound, TemplateNotFound) as error:
        message = (
            f"no dialect has a template for {kind!r}; looked for {', '.join(names) or 'nothing'}"
        )
        raise UnsupportedError.of(
            "SS3205", message, hint=f"templates live in {TEMPLATES.name}/"
        ) from error


@lru_cache(maxsize=16)
def _environment(names: Names) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        keep_trailing_newline=False,
    )
    environment.filters["ident"] = partial(_ident, names)
    environment.filters["literal"] = in_quotes
    return environment


def _ident(names: Names, value: str | Relation) -> str:
    return str(value) if isinstance(value, Relation) else names.quote(value)


def _one_target(text: str, kind: str, target: Relation, grammar: Grammar) -> None:
    """Check the template over a query of two words: one statement, of the kind, aimed at the name.

    The whole text is not parsed: real queries hold constructs that Spark takes and sqlglot's parser
    does not, and nest deeper than it goes. Their tokens are checked by `_one_statement`.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse(text, dialect=grammar)
    except SqlglotError as error:
        raise _broken(text, str(error).splitlines()[0]) from error
    if len(parsed) != 1 or not isinstance(
        parsed[0], exp.Insert if kind == "insert" else exp.Create
    ):
        raise _broken(text, "it is not one statement of that kind")
    table = (
        parsed[0].this.find(exp.Table)
        if not isinstance(parsed[0].this, exp.Table)
        else parsed[0].this
    )
    if table is None or tuple(part.name for part in table.parts) != target.parts:
        raise _broken(text, f"its target is not {target}")


def _one_statement(text: str, grammar: Grammar) -> None:
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


def _distinct_columns(query: str, kind: str, grammar: Grammar) -> None:
    """Spark refuses a view or table with two columns of one name; say so before it does."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse_one(query, dialect=grammar)
    except (SqlglotError, RecursionError):
        return  # not ours to judge: see _one_target
    names = [n.lower() for n in parsed.named_selects] if isinstance(parsed, exp.Query) else []
    twice = sorted({n for n in names if n and n != "*" and names.count(n) > 1})
    if twice:
        message = f"a {kind} cannot have two columns of one name: {', '.join(twice)}"
        raise UnsupportedError.of("SS3206", message, hint="give the plan's root distinct names")


def _broken(text: str, why: str) -> SubstraitSqlError:
    first = text.strip().split("\n")[0][:80]
    return UnsupportedError.of(
        "SS3204",
        f"the statement would not be exactly one: {why} (it begins: {first})",
        hint="check the template",
    )
