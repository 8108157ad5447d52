"""What all calls of a function have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.plan.habits import DEPENDING
from substrait_sql.select.asked import TESTS

if TYPE_CHECKING:
    from collections.abc import Collection

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.schema.functions import FunctionName

# Functions that return one of their arguments, in the type that all of them have in common.
_OF_ONE_TYPE = {
    "coalesce",
    "nvl",
    "ifnull",
    "least",
    "greatest",
    "least_skip_null",
    "greatest_skip_null",
}
_ABOUT_NULL = {"is_null", "is_not_null"}


class Callee:
    """What a call needs to know of its function, decided once for all calls of it in a plan.

    declared: as the plan calls it. name: the function that is meant. depends: whether which one that is depends on the
    call. by_type: whether it does on the types of the arguments, as it does for the functions of that name.
    takes_texts: whether other arguments are cast to texts.
    """

    __slots__ = (
        "about_null",
        "by_type",
        "common",
        "declared",
        "depends",
        "facts",
        "name",
        "standard",
        "takes_texts",
        "tests",
        "widens",
    )

    def __init__(
        self, declared: FunctionName, name: FunctionName, dialect: Dialect, by_type: Collection[str]
    ) -> None:
        standard = name.standard
        self.declared, self.name, self.standard = declared, name, standard
        self.facts = dialect.facts("scalar", name)
        self.depends = standard in DEPENDING or name.name in DEPENDING
        self.by_type = standard in by_type
        self.common = standard in _OF_ONE_TYPE
        self.takes_texts = dialect.takes_texts(name)
        self.about_null = standard in _ABOUT_NULL
        self.tests = standard in TESTS
        self.widens = name.foreign or self.facts.widens_all

    def meant(self, name: FunctionName, dialect: Dialect, by_type: Collection[str] = ()) -> Callee:
        """The same for the function that a call means."""
        return self if name is self.name else Callee(self.declared, name, dialect, by_type)
