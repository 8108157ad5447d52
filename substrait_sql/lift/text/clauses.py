"""What sqlglot's parser lets pass: clauses out of order, commas with nothing behind them, brackets too many."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens
from sqlglot.dialects.dialect import Dialect

from substrait_sql.lift.text.respelt import is_window_name
from substrait_sql.lift.typing.parse import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

_RANK = {
    "SELECT": 0, "FROM": 1, "WHERE": 3, "GROUP": 4, "HAVING": 5, "QUALIFY": 6, "WINDOW": 6,
    "ORDER": 7, "SORT": 7, "CLUSTER": 7, "DISTRIBUTE": 7, "LIMIT": 8, "OFFSET": 9,
}  # fmt: skip
_SETS = {"UNION", "INTERSECT", "EXCEPT", "MINUS"}
# What a set operation has behind it: otherwise the word is a name.
_BEHIND_SETS = {"ALL", "DISTINCT", "BY", "(", "SELECT", "VALUES", "FROM", "TABLE", "WITH"}
_ENDS = {"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", ")", ","}
_ENDS |= {"ORDER BY", "GROUP BY"}
# Calls in which FROM is a word of the call.
_WITH_FROM = {"EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "OVERLAY", "POSITION"}
_CASTS = {"CAST", "TRY_CAST"}
_TABLE = {"PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "CONSTRAINT"}
_MOST_BRACKETS = 500


@dataclass(slots=True)
class _Level:
    """What is known at one depth of brackets."""

    call: bool = False
    cast: bool = False
    columns: bool = False
    rank: int = -1
    piped: bool = False
    # Of each CASE, and of the statement: whether a WHEN waits for its THEN.
    waits: list[bool] = field(default_factory=lambda: [False])


class Misplaced(Exception):
    """A word or a comma where Spark takes none. token: which."""

    def __init__(self, message: str, token: Any) -> None:
        super().__init__(message)
        self.token = token


def check(found: Sequence[Any]) -> None:
    """Raises `Misplaced` for tokens that Spark takes in no statement."""
    levels = [_Level()]
    _check_view(found)
    for place, token in enumerate(found):
        named = token.token_type in (Kind.STRING, Kind.IDENTIFIER) or is_window_name(found, place)
        # GROUP BY is one token.
        word = "" if named or not token.text.strip() else token.text.upper().split()[0]
        if token.token_type == Kind.L_PAREN:
            before = found[place - 1].text.upper() if place else ""
            if before == ")" and levels[-1].rank == _RANK["FROM"]:
                raise Misplaced("names in brackets want AS or a name before them", token)
            levels.append(
                _Level(
                    before in _WITH_FROM, before in _CASTS, _columns_follow(found, place, levels)
                )
            )
            if len(levels) > _MOST_BRACKETS:
                raise Misplaced(f"more than {_MOST_BRACKETS} brackets within one another", token)
        elif token.token_type == Kind.R_PAREN:
            if levels.pop().waits[-1]:
                raise Misplaced("THEN is missing before this", token)
            if not levels:
                raise Misplaced("a bracket is closed that was not opened", token)
        elif token.token_type == Kind.DCOLON and _is_of_is(found, place):
            raise Misplaced("IS wants brackets around it before ::", token)
        elif token.token_type in _COMPARED and _is_of_is(found, place):
            raise Misplaced("IS wants brackets around it before a comparison", token)
        elif token.token_type == Kind.PIPE_GT:
            levels[-1].rank, levels[-1].piped = -1, True
        elif token.token_type == Kind.COMMA:
            _check_comma(found, place, levels[-1])
        elif word:
            _check_except(word, found, place)
            _check_type(found, place, levels[-1])
            _check_case(word, found, place, levels[-1])
            _check_leads(word, found, place)
            _word(word, found, place, levels[-1])
    if found and len(levels) == 1 and levels[0].waits[-1]:
        raise Misplaced("THEN is missing behind this", found[-1])


def _is_of_is(found: Sequence[Any], place: int) -> bool:
    """Whether what is cast is the word behind IS, which ends a condition."""
    words = [t.text.upper() for t in found[max(place - 3, 0) : place]]
    return words[-1:] in (["NULL"], ["TRUE"], ["FALSE"]) and (
        words[-2:-1] == ["IS"] or words[-3:-1] == ["IS", "NOT"]
    )


def _columns_follow(found: Sequence[Any], place: int, levels: Sequence[_Level]) -> bool:
    """Whether these brackets hold the columns of CREATE TABLE."""
    words = [t.text.upper() for t in found[:4]]
    return len(levels) == 1 and words[:1] == ["CREATE"] and "TABLE" in words and place < 12


def _check_except(word: str, found: Sequence[Any], place: int) -> None:
    """`* EXCEPT (a, b)`: sqlglot takes one name without brackets, too."""
    if word != "EXCEPT" or not place or found[place - 1].token_type != Kind.STAR:
        return
    behind = found[place + 1] if place + 1 < len(found) else None
    if behind is not None and behind.token_type in (Kind.VAR, Kind.IDENTIFIER):
        raise Misplaced("* EXCEPT wants brackets around the names", behind)


def _check_type(found: Sequence[Any], place: int, level: _Level) -> None:
    """Sqlglot reads the types of all systems as Spark's that are near."""
    before = found[place - 1].text.upper() if place else ""
    leads = place > 1 and found[place - 2].text in ("(", ",")
    behind = (before == "AS" and level.cast) or (leads and level.columns and before not in _TABLE)
    # The suffix of a number is a cast to sqlglot: all of it stands at one place.
    cast = before == "::" and found[place - 1].start != found[place].start
    if (cast or behind) and found[place].token_type in parsed_types():
        name = found[place].text
        if name.lower() not in NAMES:
            raise Misplaced(f"{name} is no type of Spark's", found[place])


@cache
def parsed_types() -> frozenset[Any]:
    """The kinds of tokens that sqlglot takes for a type."""
    return frozenset(Dialect.get_or_raise("spark").parser_class.TYPE_TOKENS)


def _word(word: str, found: Sequence[Any], place: int, level: _Level) -> None:
    before = found[place - 1].text.upper() if place else ""
    following = found[place + 1].text.upper() if place + 1 < len(found) else ""
    if word == "FROM" and (level.call or before == "DISTINCT"):
        return
    if word in _SETS and not (following == "(" and before == "*"):
        if level.rank >= _RANK["ORDER"] and not level.piped and following in _BEHIND_SETS:
            raise Misplaced(f"the query before {word} wants brackets", found[place])
        level.rank = -1
    _check_name(word, found, place, level)
    if level.rank > _RANK["FROM"] and _is_of_from(word, found, place):
        raise Misplaced(f"{word} does not stand here", found[place])
    if word not in _RANK or before in (".", "WITHIN", "AS") or following == ".":
        return
    spaced = found[place].text.upper().endswith(" BY") or following == "BY"
    if word in ("ORDER", "GROUP", "SORT", "CLUSTER", "DISTRIBUTE") and not spaced:
        return
    if word in ("WINDOW", "QUALIFY", "OFFSET", "LIMIT") and (
        following in (",", ")", "") or before in (",", "SELECT", "BY")
    ):
        return
    if word == "WINDOW" and [t.text.upper() for t in found[place + 2 : place + 3]] != ["AS"]:
        # A function, or a column of that name.
        return
    rank = _RANK[word]
    if word in _NAMES_OF_TABLES and _is_alias(found, place):
        raise Misplaced(
            f"{word} and names in brackets are an alias to Spark, as the table has none",
            found[place],
        )
    if word == "SELECT":
        level.rank = max(level.rank, 0) if level.rank == 1 else 0
        return
    if rank < level.rank or (rank == level.rank and rank in (1, 3, 4, 5)):
        raise Misplaced(f"{word} does not stand here", found[place])
    level.rank = rank


def _is_alias(found: Sequence[Any], place: int) -> bool:
    """Whether ``WHERE (a, b)`` stands behind a table without alias, and nothing behind it that makes it a condition."""
    end, inside = place + 1, 0
    if end >= len(found) or found[end].token_type != Kind.L_PAREN:
        return False
    while end + 1 < len(found) and found[end + 1].token_type != Kind.R_PAREN:
        end += 1
        inside += 1
        named = found[end].token_type == Kind.IDENTIFIER or found[end].text.isidentifier()
        if (found[end].token_type != Kind.COMMA) if inside % 2 == 0 else not named:
            return False
    words = [t.text.upper().split() for t in found[end + 1 : end + 3]]
    closed, behind = words[:1] == [[")"]], words[1:]
    ends = not behind or (bool(behind[0]) and behind[0][0] in _BEHIND_TABLES)
    return bool(inside) and closed and ends and _ends_bare_table(found, place - 1)


def _ends_bare_table(found: Sequence[Any], place: int) -> bool:
    """Whether a table, a query or a call ends here that stands in FROM and has no alias."""
    if found[place].token_type == Kind.R_PAREN:
        depth = 1
        while depth and place:
            place -= 1
            depth += (found[place].token_type == Kind.R_PAREN) - (
                found[place].token_type == Kind.L_PAREN
            )
        if place and found[place - 1].text.upper() in _BEFORE_TABLES:
            return True
        place -= 1
    while place > 1 and found[place - 1].token_type == Kind.DOT:
        place -= 2
    return place > 0 and found[place - 1].text.upper() in _BEFORE_TABLES


_NAMES_OF_TABLES = {"WHERE", "HAVING", "QUALIFY"}
_BEFORE_TABLES = {"FROM", "JOIN", ",", "LATERAL", "VALUES"}
_BEHIND_TABLES = {*_ENDS, *_RANK, *_SETS, ";", "|>", "JOIN", "LATERAL", "PIVOT", "UNPIVOT"} | {
    *("CROSS", "INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "NATURAL", "TABLESAMPLE")
}


def _check_name(word: str, found: Sequence[Any], place: int, level: _Level) -> None:
    """A text is no name, and USING and ON have something behind them."""
    following = found[place + 1] if place + 1 < len(found) else None
    named = word == "AS" and not level.cast and level.rank >= 0
    if (named or word in ("FROM", "JOIN")) and not level.call and _is_text(following):
        raise Misplaced("a text is no name: names stand in backticks", following)
    if level.rank != _RANK["FROM"]:
        return
    if word == "USING" and (following is None or following.token_type != Kind.L_PAREN):
        raise Misplaced("USING wants brackets around the names", found[place])
    if word == "USING" and _is_dot(found, place + 3):
        raise Misplaced("USING takes names of columns, without a table", found[place + 2])
    if word == "ON" and (following is None or following.token_type == Kind.R_PAREN):
        raise Misplaced("ON wants a condition", found[place])


def _is_dot(found: Sequence[Any], place: int) -> bool:
    return place < len(found) and found[place].token_type == Kind.DOT


def _is_text(token: Any) -> bool:
    return token is not None and token.token_type == Kind.STRING


def _is_of_from(word: str, found: Sequence[Any], place: int) -> bool:
    """Whether the word begins a part of FROM, and is no name: sqlglot takes those behind WHERE and GROUP BY, too."""
    following = found[place + 1] if place + 1 < len(found) else None
    if following is None:
        return False
    match word:
        case "JOIN":
            before = found[place - 1]
            joins = before.token_type in _VALUES or before.text.upper() in _JOINS
            return joins and following.token_type in (Kind.VAR, Kind.IDENTIFIER, Kind.L_PAREN)
        case "PIVOT" | "UNPIVOT":
            behind_value = found[place - 1].token_type in _VALUES
            return behind_value and following.token_type == Kind.L_PAREN
        case "LATERAL":
            return bool(following.text.upper() == "VIEW")
    return False


_JOINS = {"CROSS", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "SEMI", "ANTI", "NATURAL"}


def _check_case(word: str, found: Sequence[Any], place: int, level: _Level) -> None:
    """Each WHEN has a THEN, which sqlglot does not ask for."""
    before = found[place - 1] if place else None
    behind_value = before is not None and (
        before.token_type in _VALUES or before.text.upper() == "END"
    )
    if word == "CASE":
        level.waits.append(False)
    elif word == "THEN":
        level.waits[-1] = False
    elif word in ("WHEN", "ELSE", "END"):
        if level.waits[-1] and behind_value:
            raise Misplaced(f"THEN is missing before {word}", found[place])
        if word == "WHEN":
            level.waits[-1] = True
        if word == "END" and len(level.waits) > 1:
            level.waits.pop()


_VALUES = (Kind.NUMBER, Kind.STRING, Kind.VAR, Kind.IDENTIFIER, Kind.R_PAREN, Kind.R_BRACKET)


def _check_leads(word: str, found: Sequence[Any], place: int) -> None:
    """Words that another one follows in Spark."""
    following = [t.text.upper() for t in found[place + 1 : place + 3]]
    behind_call = word == "FILTER" and place and found[place - 1].text == ")"
    if behind_call and following[:1] == ["("] and following[1:] != ["WHERE"]:
        raise Misplaced("FILTER wants WHERE in its brackets", found[place])
    if place == 0 and word in _SECOND and following[:1] and following[0] not in _SECOND[word]:
        raise Misplaced(f"{word} wants {' or '.join(_SECOND[word])} behind it", found[0])
    if found[place].text == "!" and place and found[place - 1].text.upper() == "IS":
        raise Misplaced("! is NOT in front of a value only: write IS NOT", found[place])
    if found[place].text == "!" and (following[:1] and following[0] in _NEGATED):
        raise Misplaced(
            f"! is NOT in front of a value only: write NOT {following[0]}", found[place]
        )
    if word == "IN" and following == ["(", "VALUES"] and _opens(found, place + 3):
        # Spark reads that as the call of a function.
        raise Misplaced("IN wants SELECT in front of VALUES with rows in brackets", found[place])
    if word == "IN" and following[1:] and _is_typed_text(found, place + 2):
        raise Misplaced(f"{following[1]} before a text is no query here", found[place + 2])
    more = found[place + 2] if place + 2 < len(found) else None
    is_value = more is not None and more.token_type in (Kind.NUMBER, Kind.STRING)
    if word == "INTERVAL" and is_value and _has_units(found[place + 1]):
        raise Misplaced("the text of INTERVAL has its units already", more)
    if word == "LATERAL" and following[:1] == ["VALUES"]:
        raise Misplaced("LATERAL wants a query in brackets or a function", found[place])
    sets = word in ("ROLLUP", "CUBE") and place and found[place - 1].text.upper() == "WITH"
    if sets and following[:1] in ([","], ["WITH"]):
        raise Misplaced(f"WITH {word} is the end of GROUP BY", found[place + 1])


def _opens(found: Sequence[Any], place: int) -> bool:
    """Whether a bracket of the text stands here: one that we put about a row has the place of its value."""
    if place + 1 >= len(found):
        return False
    opens = bool(found[place].token_type == Kind.L_PAREN)
    return opens and bool(found[place].start != found[place + 1].start)


def _is_typed_text(found: Sequence[Any], place: int) -> bool:
    """Whether ``IN (SELECT 'a')`` or ``IN (VALUES 'a'`` stands here: to Spark the word is the type of the text."""
    word, behind = found[place].text.upper(), found[place + 1 : place + 3]
    if word == "SELECT" and len(behind) == 2:
        return _is_text(behind[0]) and _are_values(found[place + 2 :])
    bracketed = not _opens(found, place + 1) and len(behind) == 2
    return word == "VALUES" and bracketed and _is_text(behind[1])


def _are_values(found: Sequence[Any]) -> bool:
    """Whether the bracket closes here, or there are values up to its end, without a name and a clause of a query."""
    depth, before = 0, None
    for token in found:
        depth += (token.token_type == Kind.L_PAREN) - (token.token_type == Kind.R_PAREN)
        if depth < 0:
            return True
        named = token.token_type == Kind.VAR and before in _NAMED
        of_query = depth == 0 and (named or token.token_type in _OF_QUERY)
        if of_query or (before is None and token.token_type != Kind.COMMA):
            return False
        before = token.token_type
    return False


_NAMED = frozenset([Kind.NUMBER, Kind.STRING, Kind.VAR, Kind.R_PAREN])
_OF_QUERY = frozenset([
    Kind.ALIAS, Kind.FROM, Kind.WHERE, Kind.GROUP_BY, Kind.HAVING, Kind.ORDER_BY, Kind.LIMIT, Kind.UNION, Kind.EXCEPT,
    Kind.INTERSECT, Kind.OFFSET, Kind.QUALIFY,
])  # fmt: skip


def _has_units(token: Any) -> bool:
    """Whether it is a text such as '2 hours'."""
    text = str(token.text).strip()
    is_text = bool(token.token_type == Kind.STRING)
    return is_text and text[:1].isdigit() and text[-1:].isalpha()


def _check_view(found: Sequence[Any]) -> None:
    """The query of CREATE VIEW stands behind AS, which sqlglot does not ask for."""
    words = [t.text.upper() for t in found]
    if words[:1] != ["CREATE"] or "VIEW" not in words[1:6]:
        return
    depth = 0
    for place in range(words.index("VIEW"), len(words)):
        depth += (words[place] == "(") - (words[place] == ")")
        plain = found[place].token_type not in (Kind.STRING, Kind.IDENTIFIER)
        if depth or not plain:
            continue
        if words[place] == "AS":
            return
        if words[place] in _QUERIES and words[place + 1 : place + 2] != ["SCHEMA"]:
            raise Misplaced("AS is missing before the query", found[place])


_COMPARED = (
    Kind.EQ, Kind.NEQ, Kind.LT, Kind.LTE, Kind.GT, Kind.GTE, Kind.NULLSAFE_EQ,
)  # fmt: skip
_NEGATED = {"IN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "BETWEEN"}
_QUERIES = {"SELECT", "WITH", "VALUES", "FROM", "TABLE"}
_SECOND = {"INSERT": ("INTO", "OVERWRITE"), "DELETE": ("FROM",), "MERGE": ("INTO", "WITH")}


def _check_comma(found: Sequence[Any], place: int, level: _Level) -> None:
    if level.rank in (_RANK["LIMIT"], _RANK["OFFSET"]):
        raise Misplaced("LIMIT takes one number: write LIMIT 10 OFFSET 5", found[place])
    following = found[place + 1] if place + 1 < len(found) else None
    plain = following is not None and following.token_type not in (Kind.STRING, Kind.IDENTIFIER)
    if following is None or (plain and following.text.upper() in _ENDS - {"FROM"}):
        raise Misplaced("a comma with nothing behind it", found[place])
    if plain and following.text.upper() in _SETS and found[place + 2 : place + 3]:
        raise Misplaced("a comma with nothing behind it", found[place])
    if plain and following.text.upper() == "FROM" and place + 2 < len(found):
        raise Misplaced("a comma with nothing behind it", found[place])
