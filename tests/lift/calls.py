"""Drawn calls of Spark's functions: columns of `spark_types.TABLE`, literals and lambdas, as text and as arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, Resolved
from substrait_sql.lift.typing.casts import CLASSES
from substrait_sql.lift.typing.signatures import lambda_parameters, resolve
from substrait_sql.lift.typing.types import SparkType
from tests.lift.spark_types import KINDS

if TYPE_CHECKING:
    from random import Random

    from substrait_sql.lift.typing.casts import Expected
    from substrait_sql.lift.typing.table import Signature


def _literal(kind: SparkType, value: object = None) -> Argument:
    return Argument(kind, nullable=kind == t.VOID, constant=True, value=value)


def _texts(*words: str) -> dict[str, Argument]:
    return {f"'{word}'": _literal(t.STRING, word) for word in words}


LITERALS: dict[str, Argument] = {
    "NULL": _literal(t.VOID), "0": _literal(t.INT, 0), "1": _literal(t.INT, 1), "2": _literal(t.INT, 2),
    "-1": _literal(t.INT, -1), "5L": _literal(t.BIGINT, 5), "2.5": _literal(t.decimal(2, 1), Decimal("2.5")),
    "1e0": _literal(t.DOUBLE, 1.0), "0.25D": _literal(t.DOUBLE, 0.25), "12": _literal(t.INT, 12),
    "X'00'": _literal(t.BINARY, b"\0"),
    "DATE'2020-01-01'": _literal(t.DATE), "TIMESTAMP'2020-01-01 00:00:00'": _literal(t.TIMESTAMP),
    "TIMESTAMP_NTZ'2020-01-01 00:00:00'": _literal(t.TIMESTAMP_NTZ), "true": _literal(t.BOOLEAN, True),
    "INTERVAL '1' DAY": _literal(SparkType("interval_day", (0, 0))),
    "INTERVAL '1' MONTH": _literal(SparkType("interval_year", (1, 1))),
    "array(1,2)": _literal(t.array(t.INT, holds_null=False), [1, 2]),
    "array(0.5D)": _literal(t.array(t.DOUBLE, holds_null=False), [0.5]),
    "map('a','b')": _literal(t.map_(t.STRING, t.STRING, holds_null=False)),
    **_texts("a", "1", "2020-01-01", "a INT, b STRING"),
}  # fmt: skip
# Constants that a function has use for; drawn for it beside the others.
_SCHEMAS = _texts(
    "a INT, b STRING",
    "array<int>",
    "a struct<b: int not null>",
    "map<string, array<int>>",
    "nonsense<",
)
_FIELDS = _texts("year", "SECOND", "quarter", "hours", "dow", "day", "month", "minute", "epoch")
_MODES = _texts("sum", "min", "alwaysone", "most")
WORDS: dict[str, dict[str, Argument]] = {
    "from_json": _SCHEMAS, "from_csv": _SCHEMAS, "from_xml": _SCHEMAS,
    "extract": _FIELDS, "date_part": _FIELDS, "datepart": _FIELDS,
    "to_number": _texts("999", "9G999D99", "$99.9", "x"), "try_to_number": _texts("999", "S0.00", "9,999", ""),
    "to_char": _texts("999", "9D9", "base64", "yyyy"), "to_varchar": _texts("999", "hex", "$9,9"),
    "window": _texts("5 minutes", "1 day"), "session_window": _texts("5 minutes", "1 day"),
    "variant_get": _texts("int", "array<string>", "struct<a: date>", "interval"),
    "try_variant_get": _texts("int", "map<string, int>", "time(6)"),
    "to_binary": _texts("hex", "UTF-8", "base64"), "try_to_binary": _texts("hex", "utf8"),
    "schema_of_json": _texts('{"a": 1}', "[1]"), "schema_of_csv": _texts("1,a"),
    "schema_of_xml": _texts("<p><a>1</a></p>"),
    "like": _texts("/", "%a"), "ilike": _texts("/", "%a"), "collate": _texts("UTF8_BINARY"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """A call as text, and what we say of it: how it resolves, or why not."""

    name: str
    texts: tuple[str, ...]
    said: Resolved | str

    def sql(self, kind: str) -> str:
        """The text; a window function needs a window."""
        over = " OVER (ORDER BY n_int)" if kind == "window" else ""
        if kind == "within group" and self.texts:
            first, *rest = self.texts
            return f"`{self.name}`({', '.join(rest)}) WITHIN GROUP (ORDER BY {first})"
        return f"`{self.name}`({', '.join(self.texts)}){over}"


def column(text: str) -> Argument:
    """What a column is by its name."""
    first, _, kind = text.partition("_")
    return Argument(KINDS[kind], nullable=first == "n", name=text)


def argument(text: str) -> Argument:
    """What a drawn argument is that is no lambda."""
    return LITERALS[text] if text in LITERALS else column(text)


# A lambda with more or fewer parameters than the function gives it.
WRONG = Argument(t.VOID, nullable=True, name="?")
_Drawn = list[tuple[str, Argument]]


def draw(rng: Random, name: str, signature: Signature) -> Call:
    """A call: often one that we take, often such with another argument in one place."""
    count = _count(rng, signature)
    lot = rng.random()
    if lot < 0.2:
        return _call(name, _arguments(rng, name, signature, count))
    for _ in range(40):
        drawn = _arguments(rng, name, signature, count)
        found = _call(name, drawn)
        if not isinstance(found.said, str):
            if lot < 0.6 or not drawn or signature.lambdas:
                return found
            place = rng.randrange(len(drawn))
            if place + 1 not in signature.lambdas:
                drawn[place] = _any(rng, name)
            return _call(name, drawn)
    return found


def _count(rng: Random, signature: Signature) -> int:
    every = [signature, *signature.others]
    line = rng.choice(every)
    if line.variadic is not None:
        return line.least + rng.choice((0, 0, 1, 1, 2, 3))
    return rng.randint(
        max(line.least - (rng.random() < 0.03), 0), len(line.args) + (rng.random() < 0.03)
    )


def _call(name: str, drawn: _Drawn) -> Call:
    texts = tuple(text for text, _ in drawn)
    try:
        if any(a is WRONG for _, a in drawn):
            raise Misused("a lambda with other parameters")
        said: Resolved | str = resolve(name, [a for _, a in drawn])
    except Misused as error:
        said = str(error) or "no"
    return Call(name, texts, said)


def _arguments(rng: Random, name: str, signature: Signature, count: int) -> _Drawn:
    line = signature.of(count) or signature
    drawn: _Drawn = []
    for place in range(count):
        if place + 1 in line.lambdas and rng.random() < 0.9:
            drawn.append(_lambda(rng, name, [a for _, a in drawn], place))
        elif drawn and rng.random() < 0.3:
            drawn.append(_like(rng, drawn))
        elif not line.args or rng.random() < 0.25:
            drawn.append(_any(rng, name))
        else:
            drawn.append(_fitting(rng, line.expected(place)))
    return drawn


def _any(rng: Random, name: str) -> tuple[str, Argument]:
    words = WORDS.get(name, {})
    if words and rng.random() < 0.5:
        text = rng.choice(list(words))
        return text, words[text]
    if rng.random() < 0.35:
        text = rng.choice(list(LITERALS))
        return text, LITERALS[text]
    return _column(rng, rng.choice(list(KINDS)))


def _column(rng: Random, kind: str) -> tuple[str, Argument]:
    text = f"{rng.choice('nr')}_{kind}"
    return text, column(text)


def _like(rng: Random, drawn: _Drawn) -> tuple[str, Argument]:
    """A column of the type of an argument before, of its parts, or of one that has something to do with it."""
    kind = rng.choice(drawn)[1].type
    near = [kind, *kind.parts, *(f.type for f in kind.fields)]
    wanted = rng.choice(near).kind
    fits = [name for name, k in KINDS.items() if k.kind == wanted]
    exact = [name for name, k in KINDS.items() if t.same(k, kind)]
    pool = exact if exact and rng.random() < 0.5 else fits
    return _column(rng, rng.choice(pool or list(KINDS)))


def _fitting(rng: Random, expected: Expected) -> tuple[str, Argument]:
    one = rng.choice(expected) if isinstance(expected, tuple) else expected
    if one == "any":
        return _column(rng, rng.choice(list(KINDS)))
    kinds = CLASSES[one] if isinstance(one, str) else (one.kind,)
    fits = [
        name
        for name, k in KINDS.items()
        if k.kind in kinds and (isinstance(one, str) or not k.parts or t.same(k, one))
    ]
    constants = [text for text, a in LITERALS.items() if a.type.kind in kinds]
    if constants and rng.random() < 0.4:
        text = rng.choice(constants)
        return text, LITERALS[text]
    return _column(rng, rng.choice(fits or list(KINDS)))


def _lambda(rng: Random, name: str, before: list[Argument], place: int) -> tuple[str, Argument]:
    """A lambda whose body is one of its parameters, whether that is NULL, or has nothing to do with them."""
    count = rng.choice((1, 2, 3, 2, 1))
    try:
        parameters = lambda_parameters(name, before, place, count)
    except Misused:
        return _arrow([f"p{i}" for i in range(count)], "1"), WRONG
    names = [f"p{i}" for i in range(count)]
    which = rng.randrange(count)
    kind, nullable = parameters[which]
    text, body = rng.choice(
        (
            (names[which], Argument(kind, nullable)),
            (names[which], Argument(kind, nullable)),
            (f"{names[which]} IS NULL", Argument(t.BOOLEAN, nullable=False)),
            (
                f"array({names[which]})",
                Argument(t.array(kind, holds_null=nullable), nullable=False),
            ),
            ("1", replace(LITERALS["1"], constant=False, value=None)),
            ("n_str", column("n_str")),
            ("NULL", Argument(t.VOID, nullable=True)),
        )
    )
    return _arrow(names, text), replace(body, name="")


def _arrow(names: list[str], body: str) -> str:
    return f"{names[0] if len(names) == 1 else '(' + ', '.join(names) + ')'} -> {body}"
