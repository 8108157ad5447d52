"""Places where something is missing, or one word too many stands, and sqlglot's parser reads on: Spark's does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.text.bracketed import CALLED, is_called_operator, is_operand
from substrait_sql.lift.text.clauses import Kind, Misplaced
from substrait_sql.lift.text.tokens import tokens_of
from substrait_sql.tree.releases import TILDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LISTS = frozenset(
    [Kind.GROUP_BY, Kind.ORDER_BY, Kind.PARTITION_BY, Kind.SORT_BY, Kind.DISTRIBUTE_BY, Kind.CLUSTER_BY]
)  # fmt: skip
_BRACKETS = {Kind.L_PAREN: Kind.R_PAREN, Kind.L_BRACKET: Kind.R_BRACKET}
_CLOSES = frozenset(_BRACKETS.values())
# What no comma stands behind.
_OPENS = frozenset([*_BRACKETS, Kind.COMMA, Kind.SELECT, Kind.DISTINCT, *_LISTS])
# What follows a query's FROM, and needs a SELECT before it.
_FILTERS = frozenset([Kind.WHERE, Kind.GROUP_BY, Kind.HAVING, Kind.QUALIFY])
_CLAUSES = frozenset([Kind.FROM, Kind.LIMIT, Kind.OFFSET, Kind.WINDOW, Kind.PIPE_GT, *_FILTERS, *_LISTS])  # fmt: skip
_SETS = frozenset([Kind.UNION, Kind.INTERSECT, Kind.EXCEPT])
_ENDS = _CLAUSES | _SETS | _CLOSES
# What a part of an expression ends with.
_PARTS = _CLAUSES | _SETS | {Kind.COMMA, Kind.OR, Kind.WHEN, Kind.THEN, Kind.ELSE, Kind.END}
_FRAMES = ("PRECEDING", "FOLLOWING")
_NAMES = frozenset([Kind.VAR, Kind.IDENTIFIER])
_DIRECTIONS = frozenset([Kind.ASC, Kind.DESC])
_SIGNS = frozenset(
    [Kind.DCOLON, Kind.PLUS, Kind.DASH, Kind.STAR, Kind.SLASH, Kind.EQ, Kind.NEQ, Kind.LT, Kind.GT, Kind.LTE,
     Kind.GTE, Kind.NULLSAFE_EQ, Kind.DPIPE, Kind.PIPE, Kind.AMP, Kind.CARET, TILDE, Kind.DOT, Kind.L_BRACKET]
)  # fmt: skip
# What is cut off by TRIM, before the text of which it is.
_TRIMMED = {"BOTH", "LEADING", "TRAILING"}


def check(found: Sequence[Any]) -> None:
    """Raises `Misplaced` for tokens between which Spark wants something, or takes nothing."""
    for place, (before, token, behind) in enumerate(_with_neighbours(found)):
        kind = token.token_type
        if kind == Kind.COMMA and (before is None or before.token_type in _OPENS):
            raise Misplaced("a comma with nothing before it", token)
        if kind == Kind.HINT:
            _check_hint(token)
        if kind == Kind.ALIAS and _is_no_value(found, place - 1):
            raise Misplaced("a value is missing before AS", token)
        if kind == Kind.ALIAS and _is_list_end(behind):
            raise Misplaced("AS with no name behind it: one of that name is written `AS`", token)
        if kind == Kind.ALIAS and (
            _is(before, Kind.WITH) or (behind is not None and behind.token_type in _SIGNS)
        ):
            raise Misplaced("a name is missing here", token)
        if kind in _LISTS and (behind is None or behind.token_type in _ENDS):
            raise Misplaced(f"{token.text.upper()} with nothing behind it", token)
        if kind == Kind.OVER and _ends_call(found, place) and _is_end(behind):
            raise Misplaced("OVER wants a window behind it", token)
        if kind == Kind.DISTINCT and _is_between(found, place):
            _check_distinct(found, place)
        if kind == Kind.DOT:
            _check_dot(before, token, behind)
        if kind in _DIRECTIONS and behind is not None and behind.token_type in _DIRECTIONS:
            _check_direction(before, behind)
        if kind == Kind.TABLE and _begins_query(before):
            _check_table(found, place)
        if kind == Kind.VAR and token.text.upper() == "GROUP" and _ends_value(before):
            _check_group(token, behind)
        if kind == Kind.NOT and is_operand(found, place):
            _check_not(token, behind)
        if kind == Kind.STAR and _is_name(before) and (behind is None or behind.token_type in _ENDS):  # fmt: skip
            raise Misplaced("* with nothing behind it", token)
        if kind == Kind.NOT and _is_name(before) and _is(behind, Kind.NULL) and not _is_type(found):
            raise Misplaced("IS is missing before NOT NULL", token)
        if kind == Kind.L_PAREN and _is(behind, Kind.R_PAREN):
            _check_empty(found, place)
        if kind == Kind.STRING and _is_zoned(found, place):
            raise Misplaced("a text behind TIME ZONE: write TIMESTAMP_LTZ or TIMESTAMP_NTZ", token)
        if kind in (Kind.ROLLUP, Kind.CUBE) and _is(before, Kind.WITH) and _goes_on(behind):
            raise Misplaced(f"WITH {token.text.upper()} is the end of GROUP BY", behind)
        if (
            kind != Kind.STRING
            and token.text.upper() in _TRIMMED
            and place > 1
            and found[place - 2].text.upper() == "TRIM"
        ):
            _check_trim(found, place)
    _check_levels(found)
    _check_called(found)


def _with_neighbours(found: Sequence[Any]) -> Iterator[tuple[Any, Any, Any]]:
    return zip([None, *found[:-1]], found, [*found[1:], None], strict=True)


def _is(token: Any, kind: Any) -> bool:
    return token is not None and token.token_type == kind


def _is_word(token: Any) -> bool:
    return bool(token.text[:1].isalpha() or token.token_type == Kind.IDENTIFIER)


def _is_name(token: Any) -> bool:
    return token is not None and token.token_type in _NAMES


def _is_end(token: Any) -> bool:
    return token is None or token.token_type in _ENDS or token.token_type == Kind.COMMA


def _ends_call(found: Sequence[Any], place: int) -> bool:
    """Whether the token before this place closes the brackets of a call."""
    depth = 0
    for at in range(place - 1, 0, -1):
        kind = found[at].token_type
        depth += (kind == Kind.R_PAREN) - (kind == Kind.L_PAREN)
        if depth == 0:
            return bool(kind == Kind.L_PAREN) and _is_name(found[at - 1])
    return False


def _is_between(found: Sequence[Any], place: int) -> bool:
    """Whether it is the DISTINCT of ``IS DISTINCT FROM``."""
    words = [t.text.upper() for t in found[max(place - 2, 0) : place + 2]]
    return words[-1:] == ["FROM"] and (words[-3:-2] == ["IS"] or words[:2] == ["IS", "NOT"])


def _check_distinct(found: Sequence[Any], place: int) -> None:
    """What is compared by IS DISTINCT FROM ends the condition: no IN, IS, LIKE, BETWEEN stands behind it."""
    depth = 0
    for at, token in enumerate(found[place + 2 :], start=place + 2):
        kind = token.token_type
        depth += (kind in _OPENED) - (kind in _CLOSED)
        if depth < 0 or (depth == 0 and (kind in _CONDITION_ENDS or _opens_frame(found, at))):
            return
        if depth == 0 and token.text.upper() in _PREDICATES:
            raise Misplaced(f"IS DISTINCT FROM wants brackets around it before {token.text}", token)


def _opens_frame(found: Sequence[Any], place: int) -> bool:
    """Whether ROWS or RANGE stands there, behind a value: one that is a value itself stands behind an operator."""
    before = found[place - 1].token_type
    return found[place].text.upper() in ("ROWS", "RANGE") and before not in (*_SIGNS, Kind.FROM)


_OPENED, _CLOSED = frozenset([*_BRACKETS, Kind.CASE]), frozenset([*_CLOSES, Kind.END])
_CONDITION_ENDS = _PARTS | {Kind.AND, Kind.ON, Kind.JOIN, Kind.ALIAS, Kind.SEMICOLON}
_PREDICATES = frozenset(["IS", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "BETWEEN"])


def _is_list_end(token: Any) -> bool:
    return token is None or token.token_type in (Kind.COMMA, Kind.FROM, *_CLOSES)


def _is_no_value(found: Sequence[Any], place: int) -> bool:
    """Whether the token there opens a list of SELECT, with ALL and DISTINCT or without."""
    kind = found[place].token_type if place >= 0 else None
    if kind in (Kind.ALL, Kind.DISTINCT):
        return place > 0 and bool(found[place - 1].token_type == Kind.SELECT)
    return kind in (Kind.SELECT, Kind.COMMA)


def _is_zoned(found: Sequence[Any], place: int) -> bool:
    """Whether WITH TIME ZONE, WITHOUT TIME ZONE stands before it: to Spark a type, and no beginning of a literal."""
    words = [t.text.upper() for t in found[max(place - 3, 0) : place]]
    return words[-2:] == ["TIME", "ZONE"] and words[0] in ("WITH", "WITHOUT", "LOCAL")


def _is_type(found: Sequence[Any]) -> bool:
    """Whether names may be those of types, which NOT NULL stands behind."""
    return bool(found[0].text.upper() in ("CREATE", "ALTER"))


def _goes_on(token: Any) -> bool:
    return token is not None and token.token_type not in _ENDS


def check_brackets(found: Sequence[Any]) -> None:
    """Raises `Misplaced` for brackets that nothing closes, of what sqlglot has read all the same."""
    opened: list[Any] = []
    for token in found:
        if token.token_type in _BRACKETS:
            opened.append(token)
        elif (
            token.token_type in _CLOSES
            and opened
            and _BRACKETS[opened.pop().token_type] != token.token_type
        ):
            raise Misplaced(f"{token.text} closes another bracket", token)
    if opened:
        raise Misplaced(f"this {opened[-1].text} has no end", opened[-1])


def _check_not(token: Any, behind: Any) -> None:
    """Raises for NOT behind an operator that takes a value: Spark knows the call there, ``a = not(b)``, and no more."""
    if token.text == "!" or not _is(behind, Kind.L_PAREN):
        raise Misplaced(f"{token.text} wants brackets around it and what it denies here", token)


def _check_called(found: Sequence[Any]) -> None:
    """Raises for an operator that is called with fewer or more arguments than Spark's function has."""
    # Of each bracket: where it is, and how many commas there have been.
    opened: list[tuple[int, int]] = []
    for place, token in enumerate(found):
        if token.token_type in _BRACKETS:
            opened.append((place, 0))
        elif token.token_type == Kind.COMMA and opened:
            opened[-1] = (opened[-1][0], opened[-1][1] + 1)
        elif token.token_type in _CLOSES and opened:
            start, commas = opened.pop()
            word = found[start - 1].text if start else ""
            if word.upper() not in CALLED or not is_called_operator(found, start - 1):
                continue
            count = 0 if start == place - 1 else commas + 1
            if count not in CALLED[word.upper()]:
                said = " or ".join(map(str, CALLED[word.upper()]))
                raise Misplaced(f"{word} takes {said} arguments, not {count}", found[start - 1])


def _check_hint(hint: Any) -> None:
    """A hint is words with commas between them or none, and with brackets behind them or none."""
    inside = tokens_of(hint.text.removeprefix("/*+").removesuffix("*/"))
    before: Any = None
    depth = 0
    for token in inside:
        kind = token.token_type
        depth += (kind == Kind.L_PAREN) - (kind == Kind.R_PAREN)
        gap = kind == Kind.COMMA and (before is None or before.token_type in _OPENS)
        strange = not depth and kind not in (Kind.COMMA, Kind.R_PAREN) and not _is_word(token)
        if gap or strange or depth < 0:
            raise Misplaced(f"{token.text} does not stand here in a hint", hint)
        before = token
    if depth or _is(before, Kind.COMMA):
        raise Misplaced("the hint has no end", hint)


def _check_dot(before: Any, token: Any, behind: Any) -> None:
    """A point has a name before it, or is that of the number right behind it."""
    word = before is not None and before.token_type in (Kind.FROM, Kind.JOIN, Kind.TABLE, Kind.INTO)
    if before is None or (word and before.end + 1 != token.start):
        raise Misplaced("a name is missing before this", token)
    if _is(behind, Kind.NUMBER) and behind.start > token.end + 1:
        raise Misplaced("a number is missing before this", token)
    if _is(behind, Kind.DOT):
        raise Misplaced("a name is missing before this", behind)


def _check_direction(before: Any, behind: Any) -> None:
    """A key has one direction. ASC and DESC are names of columns, too."""
    if before is not None and before.token_type not in (*_LISTS, Kind.COMMA, Kind.DOT):
        raise Misplaced("a second direction of one key", behind)


def _begins_query(before: Any) -> bool:
    return before is None or before.token_type in (*_SETS, Kind.L_PAREN, Kind.ALL)


def _check_table(found: Sequence[Any], place: int) -> None:
    """``TABLE t``: behind the name of the table a query goes on, or ends. It has no other name."""
    place += 1
    if place == len(found) or not _is_word(found[place]):
        return
    while place + 1 < len(found) and found[place + 1].token_type == Kind.DOT:
        place += 2
    behind = found[place + 1] if place + 1 < len(found) else None
    if _is_name(behind) or _is(behind, Kind.ALIAS) or _is(behind, Kind.TABLE):
        raise Misplaced("a table in TABLE has no other name: write SELECT * FROM", behind)


def _ends_value(before: Any) -> bool:
    """Whether a value may end there. Behind WITHIN stands a GROUP of its own."""
    ends = (*_CLOSES, *_NAMES, Kind.NUMBER, Kind.END)
    return before is not None and before.token_type in ends and before.text.upper() != "WITHIN"


def _check_group(token: Any, behind: Any) -> None:
    """An expression may be called ``group``; what stands behind that belongs to a GROUP BY."""
    if _is_name(behind) or _is(behind, Kind.NUMBER) or _is(behind, Kind.L_PAREN):
        raise Misplaced("BY is missing behind this", token)


def _check_empty(found: Sequence[Any], place: int) -> None:
    """Brackets with nothing in them: those of a call, of no keys, of no parameters, and of OVER are as they should."""
    words = [""] * max(2 - place, 0) + [t.text.upper() for t in found[max(place - 2, 0) : place]]
    if words[1] in ("USING", "SELECT", "ORDER BY") or words == ["*", "EXCEPT"]:
        raise Misplaced("brackets with nothing in them", found[place])


def _check_trim(found: Sequence[Any], place: int) -> None:
    """Raises where such a word is neither a column nor has FROM behind it."""
    if found[place + 1].token_type == Kind.R_PAREN:
        return
    depth = 0
    for token in found[place:]:
        depth += (token.token_type == Kind.L_PAREN) - (token.token_type == Kind.R_PAREN)
        if depth < 0:
            break
        if depth == 0 and token.token_type == Kind.FROM:
            return
    raise Misplaced(f"{found[place].text.upper()} wants FROM behind it", found[place])


@dataclass(slots=True)
class _Level:
    """What is known at one depth of brackets, or between CASE and END.

    bare: the query has begun with FROM, and has only that so far. values: rows of VALUES stand here. betweens: those
    that wait for their AND.
    """

    bare: bool
    values: bool = False
    case: bool = False
    betweens: list[Any] = field(default_factory=list)

    def end(self) -> None:
        """Where an expression ends."""
        if self.betweens:
            raise Misplaced("BETWEEN wants AND behind it", self.betweens[-1])


def _check_levels(found: Sequence[Any]) -> None:
    """What is about words that stand further apart."""
    levels = [_Level(_is(found[0] if found else None, Kind.FROM))]
    for place, (before, token, behind) in enumerate(_with_neighbours(found)):
        kind, level = token.token_type, levels[-1]
        if kind == Kind.L_PAREN:
            if level.values and _is(before, Kind.R_PAREN):
                raise Misplaced("a comma is missing before this", token)
            levels.append(_Level(_is(behind, Kind.FROM)))
        elif kind == Kind.CASE and not _is(before, Kind.DOT):
            levels.append(_Level(bare=False, case=True))
        elif (kind == Kind.R_PAREN and len(levels) > 1) or (kind == Kind.END and level.case):
            levels.pop().end()
        elif kind != Kind.COMMA:
            level.values = kind == Kind.VALUES
        if kind in _PARTS:
            level.end()
        elif kind == Kind.BETWEEN:
            level.betweens.append(token)
        elif kind == Kind.AND and level.betweens:
            level.betweens.pop()
        elif kind == Kind.AND and _ends_frame(found, place):
            raise Misplaced("BETWEEN is missing before these ends of a frame", before)
        _check_from(level, token, behind)
    levels[-1].end()


def _ends_frame(found: Sequence[Any], place: int) -> bool:
    words = [t.text.upper() for t in found[max(place - 2, 0) : place]]
    return words[-1:] in ([word] for word in _FRAMES) or words == ["CURRENT", "ROW"]


def _check_from(level: _Level, token: Any, behind: Any) -> None:
    """A query that begins with FROM has rows; what is asked of these stands behind a SELECT or in pipes."""
    kind = token.token_type
    if kind in _SETS:
        level.bare = _is(behind, Kind.FROM)
    elif kind in (Kind.SELECT, Kind.PIPE_GT):
        level.bare = False
    elif kind in _FILTERS and level.bare:
        raise Misplaced(f"{token.text.upper()} wants a SELECT before it", token)
