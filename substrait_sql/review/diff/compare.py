"""`diff`: the one way in. Which forms of the two sides are compared, and what that says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from substrait_sql.plan.producers import habits_of
from substrait_sql.review.diff.difference import Difference
from substrait_sql.review.diff.sides import Form, Side
from substrait_sql.review.diff.statements import text_changes
from substrait_sql.review.diff.verdict import category, changes, roots
from substrait_sql.wire.deep import in_big_stack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from substrait_sql.pipeline import Dialect

PATHS_OF_TEXTS = "paths are those in the plans that the texts become"
"""What is noted where the paths of changes are not those of a plan that was given."""

_SAME_FORM = "both have the same normal form"
_SAME_TEXT = "both are the same SQL"
# Words by which a text, of which nothing else is known, may return other rows another time.
_LOOSE = re.compile(
    r"\b(?:limit|top|fetch|tablesample|rand\w*|uuid|shuffle|first\w*|last\w*|nth_value|any_value|min_by|max_by"
    r"|row_number|ntile|lag|lead|collect_\w+|array_agg|listagg|string_agg|current_\w+|now)\b",
    re.IGNORECASE,
)
_NOT_SHOWN = "nothing shows that they are the same"


def diff(
    a: Any,
    b: Any,
    *,
    schema: Any = None,
    dialect: Dialect = "spark",
    labels: tuple[str, str] = ("old", "new"),
) -> Difference:
    """What changed from one plan to another: in their SQL, and in what they mean.

    a: the old plan, whatever `render` takes, or a text of Spark SQL: a ``.sql`` file, or a text that begins as a
    statement.
    b: the new one, likewise.
    schema: the tables of texts, as for `to_plan`; without it they are those of the other side's plan, and where neither
    is a plan, texts are compared as texts.
    dialect: as in `render`.
    labels: what the sides are called.

    Raises `DecodeError` or `SqlError` for a side that cannot be read. A plan without SQL is compared all the same.

    >>> from substrait_sql import diff
    >>> tables = {"orders": "id INT, total DECIMAL(10,2)"}
    >>> found = diff("SELECT id FROM orders", "SELECT id FROM orders WHERE total > 5", schema=tables)
    >>> found.rows_may_differ
    True
    >>> print(found)
    rows may differ
    * a condition was added: CAST(5 AS decimal<10,2>) < total
    """
    return Comparison(Side(a, labels[0], dialect), Side(b, labels[1], dialect), schema).difference()


@dataclass
class Comparison:
    """Two sides, and the schema of tables for texts."""

    old: Side
    new: Side
    schema: Any = None

    def difference(self) -> Difference:
        """The difference. Raises as `diff` does."""
        return in_big_stack(self._difference)

    @cached_property
    def known(self) -> Any:
        """The tables of texts: those that were given, else those of the plans."""
        return self.schema if self.schema is not None else _tables(self.old, self.new)

    @cached_property
    def forms(self) -> tuple[tuple[Form, Form] | None, list[str]]:
        """The forms of both that can be compared, as near to what was given as possible; else why there are none."""
        return _forms(self.old, self.new, self.known)

    def plans(self) -> tuple[Any, Any]:
        """What to run of each side. Raises `SqlError` for a text that does not become a plan."""
        return self.old.plan(self.known), self.new.plan(self.known)

    @property
    def ordered(self) -> bool:
        """Whether both sort their rows."""
        forms, _ = self.forms
        meanings = [m for form in forms or () for m in form.meanings or ()]
        return bool(meanings) and all(m.block.order for m in meanings)

    def _difference(self) -> Difference:
        old, new = self.old, self.new
        notes = [
            f"{side.label} has no SQL: {side.refused[0].code} {side.refused[0].message}"
            for side in (old, new)
            if side.compared.refused
        ]
        forms, why_not = self.forms
        if forms is None:
            found = _of_texts(old, new)
            return replace(found, notes=(*notes, *why_not, *found.notes))
        a, b = (roots(form) for form in forms)
        proven, why = category(a, b), _SAME_FORM
        habits = _habits(*forms)
        if habits and proven != "rows":
            notes.append(f"their producers mean different things by what they say: {habits}")
            proven = "rows"
        if bool(old.compared.refused) != bool(new.compared.refused):
            # Whoever runs both has rows of one of them alone.
            proven = "rows"
        if proven != "same" and _same_sql(old, new):
            proven, why = "same", _SAME_TEXT
        said = [] if proven == "same" else changes(a, b, proven)
        if said and any(form.of_text for form in forms):
            notes.append(PATHS_OF_TEXTS)
        luck = list(dict.fromkeys(text for root in (*a, *b) for _, text in root.meaning.luck))
        notes += [f"each may return other rows another time: {text}" for text in luck]
        return Difference(
            old.compared,
            new.compared,
            proven,
            proven in ("rows", "columns") or bool(luck),
            _NOT_SHOWN if proven == "rows" else why,
            tuple(said),
            tuple(notes),
        )


def _same_sql(old: Side, new: Side) -> bool:
    """Whether both plans are the same SQL: then they are the same to whoever runs it, whatever they say."""
    if old.is_sql or new.is_sql or old.rendered is None or new.rendered is None:
        return False
    sides = [
        (s.rendered.sql, s.rendered.settings, [x.columns for x in s.rendered.statements])
        for s in (old, new)
        if s.rendered is not None
    ]
    return sides[0] == sides[1] and not (old.rendered.parameters or new.rendered.parameters)


def _forms(old: Side, new: Side, known: Any) -> tuple[tuple[Form, Form] | None, list[str]]:
    problems: list[str] = []
    if not (old.is_sql or new.is_sql):
        direct = old.direct, new.direct
        if _meant(direct) and not _habits(*direct):
            return direct, []
        problems += [
            f"{s.label}: {f.why_not}" for s, f in zip((old, new), direct, strict=True) if f.why_not
        ]
    if not known:
        return _without(old, new, problems or ["no schema is given: the texts were compared"])
    lifted = [side.lifted(known) for side in (old, new)]
    both = tuple(form for form in lifted if isinstance(form, Form))
    if len(both) == 2 and _meant(both):
        return (both[0], both[1]), []
    for side, form in zip((old, new), lifted, strict=True):
        why = form.why_not if isinstance(form, Form) else f"{form.code} {form.message}"
        problems += [f"{side.label} was not read as a plan: {why}"] if why else []
    return _without(old, new, problems)


def _without(
    old: Side, new: Side, problems: list[str]
) -> tuple[tuple[Form, Form] | None, list[str]]:
    """The plans as they are, where there are two."""
    if not (old.is_sql or new.is_sql) and _meant((old.direct, new.direct)):
        return (old.direct, new.direct), []
    return None, problems


def _meant(forms: tuple[Form, ...]) -> bool:
    return all(form.meanings is not None for form in forms)


def _tables(old: Side, new: Side) -> Mapping[str, Any]:
    """The tables of both sides' plans."""
    found: dict[str, Any] = {}
    for side in (old, new):
        if not side.is_sql:
            found |= side.tables()
    return found


def _habits(a: Form, b: Form) -> str:
    """What the producers of two plans mean differently."""
    one, other = ({**h._asdict(), **h.older} for h in map(habits_of, (a.decoded, b.decoded)))
    names = sorted({*one, *other} - {"older", "unsure", "about_null"})
    return ", ".join(n.replace("_", " ") for n in names if one.get(n) != other.get(n))


def _of_texts(old: Side, new: Side) -> Difference:
    """The texts alone: the same but for white space, letters of keywords and comments, or not."""
    found = text_changes(old.compared, new.compared)
    proven, why = ("same", _SAME_TEXT) if not found else ("rows", _NOT_SHOWN)
    loose = _LOOSE.search(old.compared.text)
    notes = (f"each may return other rows another time: {loose[0]} in the text",) if loose else ()
    may = bool(found or loose)
    return Difference(old.compared, new.compared, proven, may, why, tuple(found), notes)
