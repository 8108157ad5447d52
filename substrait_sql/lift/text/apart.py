"""Pipes and pivots, which sqlglot's parser reads otherwise than Spark or not at all.

They are cut out of the tokens and read by themselves; a table of a name that no text has stands for each of them until
the tree is made. A pivot is to Spark a kind of join: it takes all that stands before it, not the last table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot import tokens as sqlglot_tokens

from substrait_sql.lift.text.clauses import Misplaced
from substrait_sql.lift.text.nodes import Piped, Pivoted, Step, Unpivoted
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Callable

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009
Tokens = list[Any]

_SETS = ("UNION", "INTERSECT", "EXCEPT", "MINUS")
_LAST = ("ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET")
_JOINS = ("JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "NATURAL")
_MARK = "|>\n"


class Unsaid(Exception):
    """A step that a plan has no word for. token: where."""

    def __init__(self, message: str, token: Any) -> None:
        super().__init__(message)
        self.token = token


def word(token: Any) -> str:
    """The token as a keyword; nothing for texts and quoted names."""
    if token.token_type in (Kind.STRING, Kind.IDENTIFIER) or not token.text.strip():
        return ""
    found: str = token.text.upper().split()[0]
    return found


class Apart:
    """Reads a statement. parse: makes the tree of tokens without pipes and pivots. Raises `Misplaced`, `Unsaid`."""

    def __init__(self, parse: Callable[[Tokens], Any]) -> None:
        self._parse = parse
        self._nodes: dict[str, Any] = {}

    def statement(self, found: Tokens) -> Any:
        """The tree of a whole statement."""
        return self._query(self._cut(found))

    def _query(self, found: Tokens) -> Any:
        return self._piped(found) if any(map(_is_pipe, found)) else self._tree(found)

    def _tree(self, found: Tokens) -> Any:
        """The tree of tokens without pipes, with what was cut out put back."""
        tree = self._parse(found)
        for table in list(tree.find_all(exp.Table)):
            node = self._nodes.get(table.name)
            if type(node) is Piped:
                select = table.find_ancestor(exp.Select)
                if select is tree:
                    tree = node
                else:
                    select.replace(node)
            elif node is not None:
                node.set("alias", table.args.get("alias"))
                table.replace(node)
        return tree

    def _cut(self, found: Tokens) -> Tokens:
        """The tokens with a table's name for each pivot and each piped query in brackets."""
        stack: list[Tokens] = [[]]
        for token in found:
            if token.token_type == Kind.L_PAREN:
                stack.append([token])
            elif token.token_type == Kind.R_PAREN and len(stack) > 1:
                opening, *inner = stack.pop()
                if not self._pivot(stack[-1], inner):
                    if any(map(_is_pipe, inner)):
                        inner = [*_star(opening), self._name(self._piped(inner), opening)]
                    stack[-1] += [opening, *inner, token]
            else:
                stack[-1].append(token)
        return [t for level in stack for t in level]

    def _name(self, node: Any, at: Any) -> Any:
        name = f"{_MARK}{len(self._nodes)}"
        self._nodes[name] = node
        return _like(at, name, Kind.IDENTIFIER)

    # ------------------------------------------------------------------ pivots

    def _pivot(self, before: Tokens, inner: Tokens) -> bool:
        """Cuts out the pivot whose brackets these are; False where they are none's."""
        nulls = len(before) > 2 and word(before[-1]) == "NULLS" and word(before[-3]) == "UNPIVOT"
        start = before[-3] if nulls else before[-1] if before else None
        if start is None or start.token_type not in (Kind.PIVOT, Kind.UNPIVOT):
            return False
        parts = _around(inner, start)
        if start.token_type == Kind.PIVOT:
            node = self._pivoted(*parts)
        else:
            node = self._unpivoted(*parts)
            node.set("nulls", nulls and word(before[-2]) == "INCLUDE")
        del before[-3 if nulls else -1 :]
        joined = [_like(start, "CROSS", Kind.CROSS), _like(start, "JOIN", Kind.JOIN)]
        before += [*joined, self._name(node, start)]
        return True

    def _pivoted(self, aggregates: Tokens, over: Tokens, values: Tokens) -> Any:
        columns = self._item(over)
        columns = columns.expressions if isinstance(columns, exp.Tuple) else [columns.unnest()]
        return Pivoted(
            expressions=self._items(aggregates), over=columns, values=self._items(values)
        )

    def _unpivoted(self, names: Tokens, over: Tokens, values: Tokens) -> Any:
        made = self._item(names)
        several = made.expressions if isinstance(made, exp.Tuple) else [made.unnest()]
        name = self._item(over)
        for each, found in [(name, over), *((n, names) for n in several)]:
            if not isinstance(each, exp.Column) or each.args.get("table") is not None:
                raise Misplaced("UNPIVOT wants a name here", found[0])
        return Unpivoted(names=several, over=name, values=self._items(values))

    def _item(self, found: Tokens) -> Any:
        items = self._items(found)
        if len(items) != 1:
            raise Misplaced("one name stands here, or several in brackets", found[0])
        return items[0]

    def _items(self, found: Tokens) -> list[Any]:
        """The expressions of a list, with their aliases."""
        made = self._tree([_like(found[0], "SELECT", Kind.SELECT), *found])
        _only(made, {"expressions"}, found[0])
        items: list[Any] = made.expressions
        return items

    # ------------------------------------------------------------------ pipes

    def _piped(self, found: Tokens) -> Any:
        parts: list[Tokens] = [[]]
        pipes: Tokens = []
        for token in found:
            if _is_pipe(token):
                pipes.append(token)
                parts.append([])
            else:
                parts[-1].append(token)
        if not parts[0]:
            raise Misplaced("nothing stands before the pipe", pipes[0])
        first = self._first(parts[0], pipes[0])
        steps: list[Any] = []
        ending = False
        for place, (pipe, part) in enumerate(zip(pipes, parts[1:], strict=True)):
            for number, one in enumerate(_pieces(part)):
                twice = ending and number > 1
                ending = number > 0 and word(one[0]) in _LAST
                if twice or (ending and place < len(pipes) - 1):
                    raise Misplaced(f"{word(one[0])} wants a pipe before it", one[0])
                step = self._step(pipe, one, ending)
                if place < len(pipes) - 1 and _names_windows(step):
                    raise Misplaced("WINDOW goes with SELECT, or with the last step", pipe)
                steps.append(step)
        out = Piped(this=first, steps=steps)
        with_ = first.args.get(releases.WITH)
        if with_ is not None:
            first.set(releases.WITH, None)
            out.set(releases.WITH, with_)
        return out

    def _first(self, found: Tokens, pipe: Any) -> Any:
        made = self._tree(found)
        if not isinstance(made, (exp.Query, exp.Values, exp.Table)):
            raise Misplaced("a pipe wants a query before it", pipe)
        if any(
            made.args.get(k) for k in ("order", "limit", "offset", "sort", "cluster", "distribute")
        ):
            raise Misplaced("ORDER BY and LIMIT do not stand before a pipe", pipe)
        if word(found[0]) == "FROM" and not any(word(t) == "SELECT" for t in _flat(found)):
            _only(made, {"expressions", releases.FROM, "joins", "laterals"}, found[0])
        return made

    def _step(self, pipe: Any, found: Tokens, ending: bool) -> Any:
        first, rest = found[0], found[1:]
        name = word(first)
        if name == "TABLESAMPLE":
            raise Unsaid("a sample is drawn anew each time: a plan has no word for it", first)
        if name in ("EXTEND", "SET", "DROP", "AS", "AGGREGATE") and not rest:
            raise Misplaced(f"{name} with nothing behind it", first)
        if name == "SELECT":
            select = self._tree(found)
            _only(select, {"expressions", "distinct", "windows", "hint"}, first)
            return Step(kind="select", this=select)
        if name == "EXTEND":
            select = self._tree([_like(first, "SELECT", Kind.SELECT), *rest])
            _only(select, {"expressions", "windows"}, first)
            return Step(kind="extend", this=select)
        if name == "SET":
            return self._set(first, rest)
        if name == "DROP":
            return Step(kind="drop", names=[_name(p, first) for p in _split(rest)])
        if name == "AS":
            return Step(kind="as", names=[_identifier(rest, first)])
        if name == "AGGREGATE":
            return self._aggregate(first, rest)
        return self._clause(pipe, found, ending)

    def _clause(self, pipe: Any, found: Tokens, ending: bool) -> Any:
        first = found[0]
        name = word(first)
        made = self._tree([*_star(pipe), _like(pipe, _MARK, Kind.IDENTIFIER), *found])
        if name in _SETS:
            if isinstance(made, exp.Select):
                raise Misplaced(f"{name} wants a query", first)
            return Step(kind="union", this=made)
        kinds = {"expressions", releases.FROM}
        if name == "WHERE":
            _only(made, {*kinds, "where"}, first)
            return Step(kind="where", this=made)
        if name in _LAST:
            if first.token_type == Kind.VAR:
                raise Misplaced(f"{name} wants BY behind it", first)
            _only(
                made, {*kinds, "order", "sort", "cluster", "distribute", "limit", "offset"}, first
            )
            limits = made.args.get("limit") or made.args.get("offset")
            if limits and name not in ("LIMIT", "OFFSET") and not ending:
                raise Misplaced("ORDER BY and LIMIT are two steps", first)
            return Step(kind="order", this=made)
        if name in _JOINS:
            _only(made, {*kinds, "joins"}, first)
            if len(made.args["joins"]) == 1:
                return Step(kind="join", this=made.args["joins"][0].pop())
        raise Misplaced(f"{first.text} is no step of a pipe", first)

    def _set(self, first: Any, found: Tokens) -> Any:
        names: list[Any] = []
        values: list[Any] = []
        for each in _split(found):
            places = [i for i, t in enumerate(each) if t.token_type == Kind.EQ]
            if not places or places[0] == len(each) - 1:
                raise Misplaced("SET wants column = value", each[0] if each else first)
            names.append(_identifier(each[: places[0]], first))
            value = self._items(each[places[0] + 1 :])[0]
            if isinstance(value, (exp.Alias, exp.Aliases)):
                raise Misplaced("SET takes no alias", each[0])
            values.append(value)
        return Step(kind="set", names=names, expressions=values)

    def _aggregate(self, first: Any, found: Tokens) -> Any:
        flat = set(map(id, _flat(found)))
        places = [
            i
            for i, t in enumerate(found)
            if id(t) in flat and word(t) == "GROUP" and not (i and word(found[i - 1]) == "WITHIN")
        ]
        at = places[0] if places else len(found)
        items = self._items(found[:at]) if at else []
        keys: list[Any] = []
        if places:
            behind = found[at + 1 :]
            if not behind:
                raise Misplaced("GROUP BY with nothing behind it", found[at])
            if word(behind[0]) in ("ALL", "ROLLUP", "CUBE", "GROUPING") or word(behind[-1]) in (
                "ROLLUP",
                "CUBE",
            ):
                raise Misplaced("AGGREGATE groups by expressions only", behind[0])
            keys = self._items(behind)
        return Step(kind="aggregate", expressions=items, keys=keys)


def _is_pipe(token: Any) -> bool:
    return bool(token.token_type == Kind.PIPE_GT)


def _names_windows(step: Any) -> bool:
    return step.args["kind"] == "extend" and bool(step.this.args.get("windows"))


def _star(at: Any) -> Tokens:
    kinds = (("SELECT", Kind.SELECT), ("*", Kind.STAR), ("FROM", Kind.FROM))
    return [_like(at, text, kind) for text, kind in kinds]


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, [])


def _flat(found: Tokens) -> Tokens:
    """The tokens outside of brackets."""
    out: Tokens = []
    depth = 0
    for token in found:
        if token.token_type in (Kind.R_PAREN, Kind.R_BRACKET):
            depth -= 1
        if depth == 0:
            out.append(token)
        if token.token_type in (Kind.L_PAREN, Kind.L_BRACKET):
            depth += 1
    return out


def _split(found: Tokens) -> list[Tokens]:
    """What stands between commas."""
    commas = {id(t) for t in _flat(found) if t.token_type == Kind.COMMA}
    out: list[Tokens] = [[]]
    for token in found:
        if id(token) in commas:
            out.append([])
        else:
            out[-1].append(token)
    return out


def _pieces(found: Tokens) -> list[Tokens]:
    """A step, and set operations and a last ORDER BY that stand behind it without a pipe."""
    flat = {id(t) for t in _flat(found)}
    out: list[Tokens] = []
    for place, token in enumerate(found):
        name = word(token) if id(token) in flat else ""
        before = found[place - 1] if place else None
        starts = name in _SETS and not (before is not None and before.token_type == Kind.STAR)
        if name in _LAST and before is not None:
            again = name == "ORDER" and any(word(t) == name for t in _flat(out[-1]))
            starts = (again or word(out[-1][0]) not in _LAST) and before.token_type not in (
                Kind.DOT,
                Kind.COMMA,
                Kind.ALIAS,
            )
        if not out or starts:
            out.append([])
        out[-1].append(token)
    if sum(word(p[0]) in _SETS for p in out) > 1 and any(
        word(p[0]) == "INTERSECT" for p in out[1:]
    ):
        raise Misplaced("INTERSECT behind another set operation wants brackets here", out[-1][0])
    return out


def _name(found: Tokens, at: Any) -> Any:
    """A name of one or more parts."""
    parts = [_identifier([t], at) for t in found[::2]] or [_identifier([], at)]
    if any(t.token_type != Kind.DOT for t in found[1::2]) or len(found) % 2 == 0:
        raise Misplaced("names with commas between them are wanted", found[0] if found else at)
    return parts[0] if len(parts) == 1 else exp.Dot.build(parts)


def _identifier(found: Tokens, at: Any) -> Any:
    if len(found) != 1 or found[0].token_type in (Kind.STRING, Kind.NUMBER, Kind.STAR):
        raise Misplaced("one name without a dot is wanted", found[0] if found else at)
    token = found[0]
    made = exp.Identifier(this=token.text, quoted=token.token_type == Kind.IDENTIFIER)
    made.update_positions(token)
    return made


def _around(found: Tokens, at: Any) -> tuple[Tokens, Tokens, Tokens]:
    """``values FOR columns IN (list)``: the three parts."""
    flat = {id(t) for t in _flat(found)}
    middle = next((i for i, t in enumerate(found) if id(t) in flat and word(t) == "FOR"), 0)
    last = next(
        (i for i, t in enumerate(found) if id(t) in flat and word(t) == "IN" and i > middle), 0
    )
    brackets = last and len(found) > last + 3 and found[last + 1].token_type == Kind.L_PAREN
    if not middle or last < middle + 2 or not brackets or found[-1].token_type != Kind.R_PAREN:
        raise Misplaced(f"{word(at)} wants (… FOR column IN (…))", at)
    return found[:middle], found[middle + 1 : last], found[last + 2 : -1]


def _only(made: Any, known: set[str], at: Any) -> None:
    """Raises where the tree has other clauses than these."""
    if not isinstance(made, exp.Select):
        raise Misplaced("this does not stand here", at)
    for name, value in made.args.items():
        if value and name not in known and name != "kind":
            what = name.rstrip("_").replace("_", " ").upper()
            raise Misplaced(f"{what} does not stand in this step", at)
