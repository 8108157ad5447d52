"""Wraps a finished query in a statement: ``CREATE VIEW``, ``CREATE TABLE … AS``, ``INSERT INTO``, ``MERGE``.

A statement is one Jinja template, ``templates/<dialect>/<kind>.sql.jinja``, found along the dialect's chain; folders of
a user's own go before it (`templates`). A query is never made by a template.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import UnsupportedError
from substrait_sql.rendered import Column, Statement
from substrait_sql.text.generate import generate
from substrait_sql.text.kinds import KINDS, PLAN_KINDS, TEMPORARY_VIEW
from substrait_sql.text.rewrite import rewrite
from substrait_sql.text.statement_options import (
    NOTHING,
    Options,
    column_of,
    expression,
    partitions,
)
from substrait_sql.text.target_name import Relation, parse_name, relation
from substrait_sql.text.templates import Piece, Templates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.lower.writes.actions import Action
    from substrait_sql.rendered import View

_QUERY = "the query"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The statement that a caller asks for around the query of a plan.

    kind: one of `KINDS`. name: the target as SQL text (``db.t``), or its parts. options: those of `Options`.
    """

    kind: str
    name: str | Sequence[str]
    options: Mapping[str, Any] | Options | None = None

    def options_of(self) -> Options:
        """The options, checked. Raises SS3203 for an unknown kind, SS3211, SS3212, SS3213."""
        if self.kind not in KINDS:
            raise UnsupportedError.of(
                "SS3203",
                f"there is no statement of kind {self.kind!r}",
                hint=f"kinds: {', '.join(KINDS)}",
            )
        found = Options.of(self.options, self.kind)
        found.check(self.kind)
        return found


class Statements:
    """Makes the statements of one dialect. templates: folders whose templates go before the dialect's.

    run: part of the names of second tables (`text.rewrite`).
    """

    def __init__(self, dialect: Dialect, templates: Sequence[Path] = (), run: str = "") -> None:
        self.dialect, self.run = dialect, run
        self.templates = Templates(dialect, templates)

    def around(
        self, query: str, wanted: Wanted, columns: Sequence[Column], root: int = 0
    ) -> list[Statement]:
        """The statements that put a query somewhere: one, or two where a table is defined before it is filled.

        query: one SELECT without a semicolon. columns: its columns.

        Raises: SS3201 and SS3202 for the name, SS3203 and SS3211 to SS3214 for the kind and its options, SS3206 for
        two columns of one name, and what `Templates.render` raises.
        """
        options, names = wanted.options_of(), self.dialect.names
        given = wanted.name
        target = parse_name(given, names) if isinstance(given, str) else relation(given, names)
        own = [c.name for c in columns]
        if wanted.kind not in ("insert", "overwrite") or options.by_name:
            _distinct(own, wanted.kind)
        known = self._known(options, own) | {"query": Piece(_QUERY, query.strip())}
        kind = wanted.kind
        if kind == "merge":
            known |= _merged(options, columns)
        elif kind == "view":
            replace = options.or_replace is not False and not options.if_not_exists
            known["mode"] = "replace" if replace else known["mode"]
            known["columns"] = self._view_columns(options, own)
        elif kind == "table" and options.defines_columns:
            return self._filled(target, known, options, columns, root)
        elif kind in ("insert", "overwrite"):
            known["columns"] = ()
            known["by_name"] = bool(options.by_name)
        text = self.templates.render("table" if kind == "ctas" else kind, target, **known)
        return [Statement(text, kind, root, tuple(columns))]

    def of_actions(
        self, actions: Sequence[Action], query: str, root: int, wanted: Wanted | None
    ) -> list[Statement]:
        """The statements that a plan itself asks for, over its query.

        wanted: what the caller asks for; there cannot be two (SS3207).
        """
        if wanted is not None:
            raise UnsupportedError.of(
                "SS3207", "the plan is a statement of its own", hint="render it without --statement"
            )
        found: list[Statement] = []
        for action in actions:
            if action.kind in ("rewrite", "replace"):
                target = relation(action.target, self.dialect.names)
                columns = [Column(c.name, "", c.type) for c in action.columns]
                made = self._defined(action) if action.kind == "replace" else None
                found += rewrite(
                    self.templates, target, columns, query.strip(), root, made,
                    checked=action.mode == "checked", run=self.run,
                )  # fmt: skip
            else:
                found.append(self._of_action(action, query, root))
        return found

    def temporary_views(self, views: Sequence[View], root: int) -> list[Statement]:
        """The statements that make the temporary views a plan reads. root: the first that may read them."""
        found = []
        for view in views:
            name = relation([view.name], self.dialect.names)
            known: dict[str, Any] = {"using": view.using, "options": view.options}
            text = self.templates.render(TEMPORARY_VIEW, name, **known)
            found.append(Statement(text, TEMPORARY_VIEW, root))
        return found

    def _of_action(self, action: Action, query: str, root: int) -> Statement:
        target = relation(action.target, self.dialect.names)
        write = partial(generate, target=self.dialect.target)
        kind = PLAN_KINDS[action.kind]
        known: dict[str, Any] = {"mode": action.mode}
        if kind in ("table", "insert", "view", "alter_view"):
            known["query"] = Piece(_QUERY, query.strip())
        if kind in ("update", "delete"):
            where = action.condition
            known["alias"] = action.alias
            known["condition"] = (
                Piece("the condition", write(where, indent=2)) if where is not None else ""
            )
            known["assignments"] = [
                (name, Piece(f"the value of {name}", write(value, indent=2)))
                for name, value in action.assignments
            ]
        known |= self._defined(action) if kind in ("create_table", "alter_table") else {}
        if kind == "alter_table":
            known["change"] = action.mode
        if kind == "insert":
            known["columns"] = [{"name": c.name} for c in action.columns]
        if kind == "view":
            # The query has the names of the columns already.
            known["columns"] = ()
        text = self.templates.render(kind, target, **NOTHING | known)
        return Statement(text, action.kind, root, target=action.target)

    def _defined(self, action: Action) -> dict[str, Any]:
        """What the template of a new table gets of a plan's columns."""
        columns = [
            {
                "name": c.name,
                "type": c.type,
                "required": c.required,
                "default": Piece(
                    f"the default of {c.name}", generate(c.default, self.dialect.target)
                )
                if c.default is not None
                else "",
                "comment": None,
            }
            for c in action.columns
        ]
        return NOTHING | {"columns": columns, "mode": action.mode}

    def _known(self, options: Options, columns: Sequence[str]) -> dict[str, Any]:
        """What each template gets of the options."""

        def named(option: str) -> list[str]:
            return [column_of(c, columns, option) for c in getattr(options, option) or ()]

        mode = "if_not_exists" if options.if_not_exists else "replace" if options.or_replace else ""
        given = partitions(options.partition_by or (), columns, self.dialect.names)
        return NOTHING | {
            "mode": mode,
            "format": options.format,
            "location": options.location,
            "partition_by": given,
            "cluster_by": named("cluster_by"),
            "bucket_by": named("bucket_by"),
            "buckets": options.buckets,
            "properties": _pairs(options.properties),
            "options": _pairs(options.table_options),
            "comment": options.comment,
            "temporary": bool(options.temporary),
            "partition": _pairs(options.partition),
            "partition_overwrite": options.partition_overwrite,
        }

    def _view_columns(self, options: Options, own: Sequence[str]) -> list[dict[str, Any]]:
        comments = _by_column(options.column_comments, own, "column_comments")
        return [{"name": n, "comment": comments.get(n)} for n in own] if comments else []

    def _filled(
        self,
        target: Relation,
        known: Mapping[str, Any],
        options: Options,
        columns: Sequence[Column],
        root: int,
    ) -> list[Statement]:
        """A table with columns of its own, and its rows after that."""
        own = [c.name for c in columns]
        comments = _by_column(options.column_comments, own, "column_comments")
        defaults = _by_column(options.defaults, own, "defaults")
        required = {column_of(n, own, "not_null") for n in options.not_null or ()}
        defined = [
            {
                "name": c.name,
                "type": c.spark_type,
                "required": c.name in required,
                "default": Piece(
                    f"the default of {c.name}",
                    expression(defaults[c.name], "defaults", self.dialect),
                )
                if c.name in defaults
                else "",
                "comment": comments.get(c.name),
            }
            for c in columns
        ]
        checks = [
            {"name": name, "expression": Piece(f"the check {name}", text)}
            for name, given in (options.checks or {}).items()
            for text in [expression(given, "checks", self.dialect)]
        ]
        query = known["query"]
        about = {k: v for k, v in known.items() if k != "query"}
        about |= {"columns": defined, "checks": checks}
        made = self.templates.render("create_table", target, **about)
        listed = [{"name": name} for name in own]
        filled = self.templates.render("insert", target, **NOTHING, query=query, columns=listed)
        return [Statement(made, "create_table", root), Statement(filled, "insert", root)]


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


def _merged(options: Options, columns: Sequence[Column]) -> dict[str, Any]:
    """Keys that may be NULL on both sides are compared so that NULL is a key as others are."""
    own = [c.name for c in columns]
    keys = [column_of(n, own, "key") for n in options.key or ()]
    nullable = {
        c.name for c in columns if c.type == "unknown" or c.type.split("<")[0].endswith("?")
    }
    return {
        "keys": [{"name": n, "nullable": n in nullable} for n in keys],
        "columns": own,
        "updated": [n for n in own if n not in keys],
    }


def _pairs(given: Mapping[str, str] | None) -> list[tuple[str, str]]:
    return [(str(k), str(v)) for k, v in (given or {}).items()]


def _by_column(
    given: Mapping[str, str] | None, columns: Sequence[str], option: str
) -> dict[str, str]:
    return {column_of(name, columns, option): value for name, value in (given or {}).items()}


def _distinct(columns: Sequence[str], kind: str) -> None:
    """Spark refuses a view or table with two columns of one name; say so before it does."""
    lower = [n.lower() for n in columns]
    twice = sorted({n for n in lower if lower.count(n) > 1})
    if twice:
        message = f"a {kind} cannot have two columns of one name: {', '.join(twice)}"
        raise UnsupportedError.of("SS3206", message, hint="give the plan's root distinct names")
