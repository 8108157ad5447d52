"""A line of a user's own dialect: what it leaves out is read from the extension file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.files import official
from substrait_sql.dialect.line import Line
from substrait_sql.dialect.template import called_names
from substrait_sql.errors import InvalidPlanError
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.dialect.model import Call

_INTS = frozenset({"i8", "i16", "i32", "i64"})
_TEXTS = frozenset({"string", "varchar", "fixed_char"})
_BYTES = frozenset({"binary", "fixed_binary"})


class OwnLine(Line):
    """A function of any extension, as a user wants it written. known: the overloads of the extension file.

    builtins: the engine's own functions.
    """

    own = True

    def __init__(
        self,
        kind: str,
        urn: str,
        row: Mapping[str, Any],
        file: str,
        known: Mapping[str, Mapping[str, Any]],
        builtins: Builtins,
    ) -> None:
        super().__init__(kind, urn, row, file)
        self.known = known
        self.builtins = builtins

    @cached_property
    def rows(self) -> list[Mapping[str, Any]]:
        """The overloads of this line as the extension file has them."""
        return [self.known[impl] for impl in self.impls]

    @cached_property
    def parsed(self) -> tuple[tuple[str, ...], ...]:
        """The signatures taken apart; names of types may hold underscores, so that the text does not say where."""
        return tuple(map(official.parts, self.rows))

    @cached_property
    def variadic(self) -> Mapping[str, int] | None:
        """The bounds of a function that takes any number of arguments."""
        found = self.row.get("variadic", self.rows[0].get("variadic"))
        return None if found is None else {k: int(found[k]) for k in ("min", "max") if k in found}

    @cached_property
    def deterministic(self) -> bool:
        """Whether each evaluation gives the same value: only where everybody says so."""
        if any(map(self.builtins.is_drawn, self.called)):
            return False
        return bool(self.metadata.get("deterministic", True)) and all(
            row.get("deterministic", True) for row in self.rows
        )

    @cached_property
    def args(self) -> tuple[str, ...]:
        """The argument names that templates use."""
        if "args" in self.metadata:
            return tuple(self.metadata["args"])
        return tuple(str(a.get("name", "")) for a in self.rows[0].get("args", ()))

    @cached_property
    def _value_names(self) -> list[str]:
        arguments = self.rows[0].get("args", ())
        return [n for n, a in zip(self.args, arguments, strict=False) if "options" not in a]

    @property
    def value_names(self) -> Sequence[str]:
        """The names of the arguments that are values."""
        return self._value_names

    @cached_property
    def texts(self) -> dict[tuple[str, ...], str]:
        """All templates of the line, by the key under `metadata` that each stands under."""
        found: dict[tuple[str, ...], str]
        found = {(key,): self.metadata[key] for key in ("sql", "empty") if key in self.metadata}
        found.update({("enum", v): t for v, t in (self.metadata.get("enum") or {}).items()})
        for name, values in (self.metadata.get("options") or {}).items():
            found.update({("options", name, v): t for v, t in values.items() if isinstance(t, str)})
        return found

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The functions that the SQL of this line calls."""
        names = [n for text in self.texts.values() for n in called_names(text)]
        return (*names, *([self.spelled] if self.spelled else []))

    @property
    def registered(self) -> bool:
        """Whether the SQL calls a function that Spark does not have by itself."""
        return any(self.builtins.kind(name) is None for name in self.called)

    @cached_property
    def spelled(self) -> str:
        """The one function that the line is a call of; empty for a template, an operator or a rule."""
        system = self.row.get("system_metadata") or {}
        if self.texts.keys() & {("sql",)} or "enum" in self.metadata or "rule" in self.metadata:
            return ""
        if system.get("notation", "FUNCTION") != "FUNCTION":
            return ""
        return str(system.get("name", self.name))

    @property
    def mere(self) -> str:
        """The same, where it is called whatever the options are."""
        hows = [how for values in self.options.values() for how in values.values()]
        return self.spelled if all(how is True for how in hows) else ""

    def check(self, impl: str, call: Call) -> None:
        """Refuses a call that the extension file has no such overload for, whatever its signature says."""
        row = self.known[impl]
        values = [a for a in call.arguments if a.sql is not None]
        if row.get("nullability") == "DISCRETE":
            texts = official.parameters_of(row, len(values))
            for text, argument in zip(texts, values, strict=True):
                wanted = "?" in text.split("<", maxsplit=1)[0] or text.rstrip().endswith("?")
                if argument.type is not None and ty.nullable(argument.type) != wanted:
                    what = f"{text}, not {ty.text(argument.type)}"
                    raise InvalidPlanError.of(
                        "SS2214", f"{call.function} takes an argument of type {what}", call.path
                    )
        enums = [a for a in row.get("args", ()) if "options" in a]
        given = [a.enum for a in call.arguments if a.enum is not None]
        for known, value in zip(enums, given, strict=False):
            if value.upper() not in {str(o).upper() for o in known["options"]}:
                options = ", ".join(map(str, known["options"]))
                raise InvalidPlanError.of(
                    "SS2214", f"{call.function} knows no {value}, only {options}", call.path
                )

    def derived(self, impl: str, call: Call) -> Any:
        """The result type by the extension file, None where it cannot be worked out.

        Raises `InvalidPlanError` SS2214 for arguments that do not go together, or where the plan declares another
        kind of result.
        """
        row = self.known[impl]
        found = official.derive(row, [a.type for a in call.arguments if a.sql is not None])
        if found is None:
            return None
        result, torn = found
        inconsistent = (row.get("variadic") or {}).get("parameterConsistency") == "INCONSISTENT"
        if torn and not inconsistent:
            given = ", ".join(ty.text(a.type) for a in call.arguments if a.sql is not None)
            raise InvalidPlanError.of(
                "SS2214", f"{torn[0]} of {call.function} stands for two types: {given}", call.path
            )
        declared = call.output_type
        if result is not None and ty.kind(declared) is not None and not _akin(result, declared):
            raise InvalidPlanError.of(
                "SS2214",
                f"{call.function} is declared as {ty.text(declared)}; by its extension file it is {ty.text(result)}",
                call.path,
            )
        return result


def _akin(a: Any, b: Any) -> bool:
    """Whether values of the one type are values of the other, or can be cast without a loss that goes unnoticed."""
    kinds = {ty.kind(a), ty.kind(b)}
    if "user_defined" in kinds:
        return ty.same(a, b)
    return len(kinds) == 1 or any(kinds <= family for family in (_INTS, _TEXTS, _BYTES))
