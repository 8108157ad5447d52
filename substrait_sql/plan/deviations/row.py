"""A row of the table of deviations."""

from __future__ import annotations

from dataclasses import dataclass

Version = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation of one producer.

    name: the field of `Habits`, a name that two producers may share. producer: one of `producers.PRODUCERS`, empty for
    any that has no row. since, until: the versions of Substrait that plans with it say, from the first that has it to
    before the first that has not; None for no such end. meaning: what the plan means, in one sentence. evidence: where
    that was seen. value: what the field becomes; None for what `when` finds. when: a fact of the plan, by its name
    in `producers.FACTS`, without which the row is not about it. function: the function that plans name, and name is
    then the line of the dialect that they mean by it: what older releases made of it. unsure: the version of which not
    all releases did. about_null: whether it is so only where the last argument may be NULL.
    """

    name: str
    producer: str
    since: Version | None
    until: Version | None
    meaning: str
    evidence: str
    value: bool | str | None = True
    when: str = ""
    function: str = ""
    unsure: Version | None = None
    about_null: bool = False
