"""SELECT, FROM and JOIN as sqlglot lays them out, without asking for the twenty clauses that ours never have.

What has any of those is sqlglot's to print, and so is all of it in a grammar that lays it out otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.generator import Generator

from substrait_sql.tree import releases

if TYPE_CHECKING:
    from substrait_sql.text.printer import Handler, Handlers

_KNOWN = frozenset(
    {
        *("expressions", "joins", "where", "group", "having", "order", "limit", "offset"),
        *("distinct", "hint", releases.FROM, releases.WITH),
    }
)
# In the order of SQL, behind the joins.
_BEHIND = ("group", "having", "order", "limit", "offset")
_OF_JOIN = frozenset({"this", "side", "kind", "on"})
_OF_TABLE = frozenset({"this", "db", "catalog", "alias"})
# What `FROM` rewrites for Spark is none of these.
_SOURCES = (exp.Table, exp.Subquery)
_METHODS = (
    "select_sql",
    "query_modifiers",
    "offset_limit_modifiers",
    "after_limit_modifiers",
    "join_sql",
    "table_sql",
)


def lays_out(printer: Any) -> bool:
    """Whether a printer lays these out as sqlglot does by itself."""
    if printer.LIMIT_IS_TOP or printer.LIMIT_FETCH == "FETCH":
        return False
    kind = type(printer)
    own = all(getattr(kind, method) is getattr(Generator, method) for method in _METHODS)
    return own and bool(printer.SEMI_ANTI_JOIN_WITH_SIDE)


def clauses(printer: Any, plain: Handlers, name: Handler) -> Handlers:
    """What prints those nodes, nothing for a grammar of another layout. plain: its own. name: prints an identifier."""
    if not lays_out(printer):
        return {}
    return {
        exp.Select: _selects(plain[exp.Select]),
        exp.Join: _joins(plain[exp.Join]),
        exp.Table: _tables(plain[exp.Table], name),
    }


def _selects(plain: Handler) -> Handler:
    """SELECT with the clauses that are known here; plain prints those with another one."""

    def handle(printer: Any, node: exp.Select) -> str:
        args = node.args
        for key, value in args.items():
            if value and key not in _KNOWN:
                return plain(printer, node)
        listed = ",\n".join([printer.sql(each) for each in args["expressions"]])
        distinct = args.get("distinct")
        words = f"SELECT{printer.sql(args.get('hint'))}{f' {printer.sql(distinct)}' if distinct else ''}"
        parts = [f"{words}\n{_indented(listed)}"]
        source = args.get(releases.FROM)
        if source is not None:
            rows = source.args["this"]
            parts.append(
                f"\nFROM {printer.sql(rows)}" if type(rows) in _SOURCES else printer.sql(source)
            )
            parts += [printer.sql(join) for join in args.get("joins") or ()]
        if args.get("where"):
            parts.append(f"\nWHERE\n{_indented(printer.sql(args['where'].args['this']))}")
        parts += [printer.sql(args[key]) for key in _BEHIND if args.get(key)]
        text = "".join(parts)
        above = args.get(releases.WITH)
        return f"{printer.sql(above)}\n{text}" if above else text

    return handle


def _indented(text: str) -> str:
    return "  " + text.replace("\n", "\n  ")


def _joins(plain: Handler) -> Handler:
    """``LEFT JOIN t ON a = b``, with the ON on a line of its own."""

    def handle(printer: Any, node: exp.Join) -> str:
        args = node.args
        side, kind, on = args.get("side"), args.get("kind"), args.get("on")
        known = _OF_JOIN.issuperset(args)
        if not known or not on or type(args["this"]) not in _SOURCES:
            return plain(printer, node)
        words = " ".join([word for word in (side, kind, "JOIN") if word])
        condition = printer.sql(on).replace("\n", "\n  ")
        return f"\n{words} {printer.sql(args['this'])}\n  ON {condition}"

    return handle


def _tables(plain: Handler, name: Handler) -> Handler:
    """``catalog.db.t AS a``."""

    def handle(printer: Any, node: exp.Table) -> str:
        args = node.args
        if not _OF_TABLE.issuperset(args) or type(args["this"]) is not exp.Identifier:
            return plain(printer, node)
        parts = [args.get("catalog"), args.get("db"), args["this"]]
        text = ".".join([name(printer, part) for part in parts if part is not None])
        alias = args.get("alias")
        return f"{text} AS {printer.sql(alias)}" if alias else text

    return handle
