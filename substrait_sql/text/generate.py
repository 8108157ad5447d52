"""AST -> text. The only place that prints: every formatting choice is made here."""

from __future__ import annotations

import re
import sys
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.generator import Generator

from substrait_sql.select.rounds import MOST_ROUNDS
from substrait_sql.style import LEADING
from substrait_sql.text.lines import commas_first, fitted
from substrait_sql.text.printer import BREAK, handlers_of, printer_of, text_of
from substrait_sql.text.remarks import Remarks, remarks_of
from substrait_sql.text.selects import clauses
from substrait_sql.text.source_map import Marks, annotated, commented, with_lines, with_relations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.dialect.identifiers import Names
    from substrait_sql.dialect.target import Target
    from substrait_sql.text.printer import Handler, Handlers
    from substrait_sql.text.source_map import Range
    from substrait_sql.wire.path import Path

INDENTED = 50
# Calls in calls, and parentheses, in one query: further in they stand on one line.
BROKEN = 16
# How wide lines of literals are, without what they are indented by.
PACKED = 80


def generate(query: exp.Expr, target: Target, indent: int = 0) -> str:
    """The text of a query: one clause per line, functions as they are named, nothing rewritten.

    target: how the dialect writes text. indent: how many spaces stand before each line but the first one.
    """
    text, remarks = remarks_of(_text(query, target))
    if remarks:
        text, _ = with_lines(text, [], remarks)
    return text.replace("\n", "\n" + " " * indent).replace(BREAK, "\n")


def generate_mapped(
    query: exp.Expr,
    target: Target,
    relations: Sequence[Path],
    annotate: bool,
    comments: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, list[Range]]:
    """The text, and where in it each node of the plan stands. relations: those of the plan.

    annotate: with comments that say so. comments: what else to say of relations, by their paths.
    """
    text, remarks = remarks_of(_text(query, target))
    printer = _printer(target)
    marks = Marks(printer)
    marked, _ = remarks_of(text_of(query, printer))
    ranges = with_relations(marks.read(marked, text), relations)
    if remarks:
        text, ranges = with_lines(text, ranges, remarks)
    if comments:
        text, ranges = commented(text, ranges, comments)
    if annotate:
        text, ranges = annotated(text, ranges)
    return text.replace(BREAK, "\n"), ranges


def _text(query: exp.Expr, target: Target) -> str:
    first = target.style.commas == LEADING
    width = target.style.width - (len(", ") if first else 0)
    printer = _printer(target)
    # No node of ours has comments: `remarks` are marks in the text.
    printer.comments = False
    text = fitted(text_of(query, printer), width, target.names.quotes, _escapes(target))
    return commas_first(text) if first else text


def _escapes(target: Target) -> bool:
    """Whether literals know backslashes."""
    return "\\" in type(target.grammar).tokenizer_class.STRING_ESCAPES


def _printer(target: Target) -> Any:
    known = _handlers(target)
    layout = _Layout(target.style.width)
    return printer_of(target.grammar, {**known, **layout.handlers(known)}, target.style)


@lru_cache(maxsize=16)
def _handlers(target: Target) -> Handlers:
    """What prints each kind of node, but for where lines are broken."""
    names: Handlers = {
        exp.Identifier: _identifier(target.names),
        exp.Column: _column(_identifier(target.names)),
        exp.Var: _finished(target),
    }
    plain = handlers_of(target.grammar)
    own = _as_sqlglot(target, plain)
    lists: Handlers = {kind: _packed(plain[kind]) for kind in (exp.In, exp.Tuple)}
    case = partial(_case, target.style.width)
    own.update(clauses(target.grammar.generator(), plain, _identifier(target.names)))
    return {**plain, **own, **_OWN, **lists, **names, exp.Case: case}


class _Layout:
    """Where lines are broken and how far they are indented.

    Without an end to that the spaces would be most of a deep text, and grow with the square of the depth.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.queries = 0
        self.calls = 0
        self.remarks = Remarks()

    def _query(self, handler: Handler) -> Handler:
        """Sqlglot's parentheses about a query, but its lines are indented no further than `INDENTED` queries deep."""

        def handle(printer: Any, query: exp.Expr) -> str:
            if type(query) is exp.Subquery and _is_constant(query.this):
                return _on_one_line(printer, query)
            calls, width, said = self.calls, printer.max_text_width, self.remarks.said
            self.queries += 1
            self.calls, printer.max_text_width, self.remarks.said = 0, self.width, frozenset()
            try:
                return (
                    handler(printer, query) if self.queries <= INDENTED else _flat(printer, query)
                )
            finally:
                self.queries -= 1
                self.calls, printer.max_text_width, self.remarks.said = calls, width, said

        return handle

    def handlers(self, known: Handlers) -> Handlers:
        """What is broken into several lines where it is long, unless it is `BROKEN` levels deep. known: by whom."""
        found: Handlers = {
            kind: self._deeper(known[kind]) for kind in (exp.Anonymous, exp.Case, exp.In, exp.Tuple)
        }
        found[exp.Paren] = self._deeper(self._paren(known[exp.Paren]))
        for kind in (exp.CTE, exp.Exists, exp.Subquery):
            found[kind] = self._query(known[kind])
        return {**found, **self.remarks.handlers({**known, **found})}

    def _deeper(self, handler: Handler) -> Handler:
        def handle(printer: Any, node: exp.Expr) -> str:
            width = printer.max_text_width
            self.calls += 1
            if self.calls > BROKEN:
                printer.max_text_width = sys.maxsize
            try:
                return handler(printer, node)
            finally:
                self.calls -= 1
                printer.max_text_width = width

        return handle

    def _paren(self, handler: Handler) -> Handler:
        def handle(printer: Any, node: exp.Expr) -> str:
            if self.calls <= BROKEN:
                return handler(printer, node)
            return f"({printer.sql(node, 'this')})"

        return handle


def _identifier(names: Names) -> Handler:
    """A name, in quotes if the dialect needs them there, or if the node says so."""

    def handle(printer: Any, node: exp.Identifier) -> str:
        quoted = node.args.get("quoted")
        name: str = node.args["this"]
        if quoted is None:
            name = names.text(name)
        elif quoted:
            name = names.in_quotes(name)
        return name.replace("\n", BREAK) if "\n" in name else name

    return handle


def _column(name: Handler) -> Handler:
    """``t.a``, most of what is printed: sqlglot looks for more parts, and prints each by itself. name: prints one."""

    def handle(printer: Any, node: exp.Column) -> str:
        column, table = node.args["this"], node.args.get("table")
        text = name(printer, column) if type(column) is exp.Identifier else printer.sql(column)
        return text if table is None else f"{name(printer, table)}.{text}"

    return handle


def _finished(target: Target) -> Handler:
    """Finished text, such as a type; a line break in a quoted name is no place to indent.

    A string literal with something to escape in it is one, too, for engines that know backslashes. For others it is
    what sqlglot makes of it.
    """
    opening, closing = map(re.escape, target.names.quotes)
    quoted = re.compile(f"{opening}(?:[^{closing}]|{closing * 2})*{closing}")
    escapes = _escapes(target)

    def handle(printer: Any, node: exp.Var) -> str:
        text: str = node.args["this"]
        if not escapes and "text" in node.args:
            literal: str = printer.sql(exp.Literal.string(node.args["text"]))
            return literal.replace("\n", BREAK)
        if "\n" not in text or not quoted.search(text):
            return text
        return quoted.sub(lambda found: found[0].replace("\n", BREAK), text)

    return handle


def _is_constant(query: exp.Expr) -> bool:
    """Whether it is ``SELECT 1``, which is there to be joined to."""
    said = [key for key, value in query.args.items() if value]
    only = query.expressions
    return said == ["expressions"] and len(only) == 1 and type(only[0]) is exp.Literal


def _on_one_line(printer: Any, query: exp.Expr) -> str:
    """``(SELECT 1) AS one_row``."""
    text, alias = " ".join(printer.sql(query, "this").split()), printer.sql(query, "alias")
    return f"({text}) AS {alias}" if alias else f"({text})"


def _flat(printer: Any, query: exp.Expr) -> str:
    """A query in parentheses, whose lines are not indented."""
    text, alias = f"(\n{printer.sql(query, 'this')}\n)", printer.sql(query, "alias")
    if isinstance(query, exp.CTE):
        return f"{_cte_name(alias, query)} AS {text}"
    if isinstance(query, exp.Exists):
        return f"EXISTS{text}"
    return f"{text} AS {alias}" if alias else text


def _cte(printer: Any, node: exp.CTE) -> str:
    """``r MAX RECURSION LEVEL 300 AS (…)``."""
    return f"{_cte_name(printer.sql(node, 'alias'), node)} AS {printer.wrap(node)}"


def _cte_name(alias: str, node: exp.CTE) -> str:
    most = node.args.get(MOST_ROUNDS)
    return alias if most is None else f"{alias} MAX RECURSION LEVEL {most}"


def _cast(word: str, printer: Any, node: exp.Cast) -> str:
    """``CAST(x AS BIGINT)``; our types are finished text, and sqlglot's compiled build takes trees of its own only."""
    return f"{word}({printer.sql(node, 'this')} AS {printer.sql(node, 'to')})"


def _filter(printer: Any, node: exp.Filter) -> str:
    """``count(*) FILTER (WHERE x > 1)``, on one line where that is short."""
    call, condition = printer.sql(node, "this"), printer.sql(node.expression, "this")
    if "\n" not in condition and not printer.too_wide([call, condition]):
        return f"{call} FILTER (WHERE {condition})"
    return f"{call} FILTER (\n{printer.indent('WHERE')}\n{printer.indent(printer.indent(condition))}\n)"


_SIGNS = {exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}


def _as_sqlglot(target: Target, plain: Handlers) -> Handlers:
    """What prints frequent nodes without looking for what ours never have. plain: what the grammar has for them.

    Only for what the grammar prints as sqlglot does.
    """
    name = _identifier(target.names)
    own: Handlers = {kind: partial(_comparison, sign) for kind, sign in _SIGNS.items()}
    own[exp.And] = own[exp.Or] = _chain
    own[exp.Alias] = partial(_alias, name)
    own[exp.Literal] = _literal(target, Generator.literal_sql)
    return {
        kind: handler
        for kind, handler in own.items()
        if plain.get(kind) is getattr(Generator, f"{kind.key}_sql")
    }


_WORDS = {exp.And: "AND", exp.Or: "OR"}


def _chain(printer: Any, node: exp.Expr) -> str:
    """``a AND b AND c``, on one line or on several. However deep such a chain nests, it is no deeper to print."""
    texts: list[str] = []
    stack: list[Any] = [node]
    word = ""
    while stack:
        each = stack.pop()
        operator = _WORDS.get(type(each))
        if operator is not None:
            stack += (each.args["expression"], operator, each.args["this"])
        elif type(each) is str:
            word = f"{each} "
        else:
            texts.append(word + printer.sql(each))
    return ("\n" if printer.too_wide(texts) else " ").join(texts)


def _alias(name: Handler, printer: Any, node: exp.Alias) -> str:
    """``x AS a``. name: prints one."""
    return f"{printer.sql(node.args['this'])} AS {name(printer, node.args['alias'])}"


def _literal(target: Target, handler: Handler) -> Handler:
    """A number, or a text: in most there is nothing that has to be escaped."""
    grammar = target.grammar
    marks = {grammar.QUOTE_START, grammar.QUOTE_END, "\\", *grammar.ESCAPED_SEQUENCES}
    special = re.compile("|".join(map(re.escape, marks)))

    def handle(printer: Any, node: exp.Literal) -> str:
        text: str = node.args["this"]
        if not node.args["is_string"]:
            return text
        if not text.isprintable() or special.search(text):
            return handler(printer, node)
        return f"{grammar.QUOTE_START}{text}{grammar.QUOTE_END}"

    return handle


def _comparison(sign: str, printer: Any, node: exp.Expr) -> str:
    """``a = b``: sqlglot looks for chains of the operator, which a comparison is no part of."""
    return f"{printer.sql(node.args['this'])} {sign} {printer.sql(node.args['expression'])}"


def _within_group(printer: Any, node: exp.WithinGroup) -> str:
    """``string_agg(name, ',') WITHIN GROUP (ORDER BY id)``."""
    keys = ", ".join(printer.sql(key) for key in node.expression.expressions)
    return f"{printer.sql(node, 'this')} WITHIN GROUP (ORDER BY {keys})"


def _sets_of(word: str, printer: Any, node: exp.Expr) -> str:
    """``ROLLUP (a, b)``."""
    return f"{word} ({', '.join(printer.sql(key) for key in node.expressions)})"


def _packed(handler: Handler) -> Handler:
    """A list of literals, several to a line where it is long."""

    def handle(printer: Any, node: exp.Expr) -> str:
        literals = node.expressions
        if len(literals) < 2 or not all(type(each) in _LITERALS for each in literals):
            return handler(printer, node)
        texts = [printer.sql(each) for each in literals]
        this = f"{printer.sql(node, 'this')} IN " if isinstance(node, exp.In) else ""
        if not printer.too_wide(texts):
            return f"{this}({', '.join(texts)})"
        lines: list[str] = []
        for text in texts:
            if lines and len(lines[-1]) + len(text) < PACKED:
                lines[-1] += f" {text},"
            else:
                lines.append(f"{text},")
        listed = printer.indent("\n".join(lines)[:-1])
        return f"{this}(\n{listed}\n)"

    return handle


_LITERALS = (exp.Literal, exp.Var, exp.Boolean, exp.Null)


def _case(width: int, printer: Any, node: exp.Case) -> str:
    """``CASE WHEN a THEN b END``, each WHEN with its THEN on a line of its own where that is long."""
    this, default = printer.sql(node, "this"), printer.sql(node, "default")
    said = ["CASE" + (f" {this}" if this else "")]
    for branch in node.args["ifs"]:
        when, then = f"WHEN {printer.sql(branch, 'this')}", f"THEN {printer.sql(branch, 'true')}"
        apart = "\n" in when + then or len(when) + len(then) >= width
        said.append(f"{when}\n{then}" if apart else f"{when} {then}")
    said += [f"ELSE {default}", "END"] if default else ["END"]
    if not printer.too_wide(said):
        return " ".join(said).replace("\nTHEN", " THEN")
    return str(printer.indent("\n".join(said), skip_first=True, skip_last=True))


_OWN: Handlers = {
    exp.Cast: partial(_cast, "CAST"),
    exp.TryCast: partial(_cast, "TRY_CAST"),
    exp.Filter: _filter,
    exp.CTE: _cte,
    exp.Cube: partial(_sets_of, "CUBE"),
    exp.Rollup: partial(_sets_of, "ROLLUP"),
    exp.WithinGroup: _within_group,
}
