"""What is known of functions, and what a plan calls them: ``words.yaml``, the declarations of the plan, the dialect."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.plan.producers import habits_of
from substrait_sql.resources import PACKAGE
from substrait_sql.schema import types
from substrait_sql.schema.functions import Functions

if TYPE_CHECKING:
    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.schema.functions import FunctionName
    from substrait_sql.wire import Decoded

_FILE = PACKAGE / "review" / "meaning" / "words.yaml"


@cache
def words() -> dict[str, Any]:
    """What ``words.yaml`` says."""
    found: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return found


class Facts:
    """The names in one plan, by which it can be compared with another: anchors and nullability are left out."""

    def __init__(self, decoded: Decoded, dialect: Dialect) -> None:
        self.habits = habits_of(decoded)
        self._dialect = dialect
        self._functions = Functions(decoded.plan)
        self._declared = _declared(decoded.plan)
        self.bound = {b.parameter_anchor: b.value for b in decoded.plan.parameter_bindings}

    def name(self, anchor: int, call: Any = None) -> FunctionName:
        """The function that a call means."""
        found = self._functions.get(anchor)
        return found if call is None else self.habits.meant(found, call)

    def is_drawn(self, name: FunctionName) -> bool:
        """Whether it may give another value each time; what is not known here may."""
        plain = name.name.lower()
        if plain in words()["drawn"] or self._dialect.builtins.is_drawn(plain):
            return True
        return name.foreign and self._dialect.builtins.kind(plain) is None

    def is_orderless(self, kind: str, name: FunctionName) -> bool:
        """Whether the order of its rows is nothing to it. kind: ``aggregate`` or ``window``."""
        return self._dialect.facts(kind, name).orderless

    def is_steady(self, kind: str, name: FunctionName) -> bool:
        """Whether it gives the same over the same rows, whichever comes first of those that sort alike."""
        facts = self._dialect.facts(kind, name)
        return facts.steady or facts.orderless

    def type(self, message: Any) -> str:
        """A type without nullability; with the names of what the plan declares."""
        text = types.text(message).replace("?", "")
        found = sorted(self._declared.get(a, f"{a[0]} {a[1]}") for a in _anchors(message))
        return f"{text} {' '.join(found)}" if found else text


_Anchor = tuple[str, int]


def _declared(plan: Any) -> dict[_Anchor, str]:
    """The types and variations that a plan declares, by kind and anchor."""
    found: dict[_Anchor, str] = {}
    for item in plan.extensions:
        match item.WhichOneof("mapping_type"):
            case "extension_type":
                found["type", item.extension_type.type_anchor] = item.extension_type.name
            case "extension_type_variation":
                variation = item.extension_type_variation
                found["variation", variation.type_variation_anchor] = variation.name
    return found


def _anchors(message: Any) -> set[_Anchor]:
    kind = types.kind(message)
    if kind is None:
        return set()
    inner = getattr(message, kind)
    found: set[_Anchor] = set()
    if kind == "user_defined":
        found.add(("type", inner.type_reference))
    if getattr(inner, "type_variation_reference", 0):
        found.add(("variation", inner.type_variation_reference))
    return found.union(*map(_anchors, types.children(message)))
