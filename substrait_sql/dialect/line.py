"""One line of a dialect file: a function of an extension and the ways it is written.

What a line may hold, beside the keys of the official schema:

    system_metadata: {name: "+", notation: INFIX}
        an operator (INFIX, PREFIX), or a function of another name
    metadata:
      sql: "locate(:substring, :input)"
        or a template
      args: [input, substring]
        the argument names, in the order of the extension file
      enum: {SAMPLE: "stddev_samp(:x)"}
        a template for each value of the first enum argument
      options: {overflow: {ERROR: true}}
        option values that can be delivered: true as the line is, or by another template
      open: {on_log_zero: MINUS_INFINITY}
        values of options that a plan does not name, where the line as it is has none of those of the extension file
      returns: i64
        what Spark yields, if not what the extension file says (dialect/results.py)
      integers: [start, length]
        arguments that Spark wants as INT
      deterministic: false
        a second evaluation may give another value
      facts: [orderless, over_nothing: 0]
        what is known of the function (dialect/facts.py)
      values: total
        a function in dialect/rules/array_aggregates.py, for windows that OVER has no words for
      empty: "TRUE"
        a template for a call without arguments
      strict: [length]
        arguments whose NULL the SQL would pass over: they are asked for
      alike: true
        Spark makes one type of the arguments
      renames: true
        structs in the result have names of the engine's choice
      exact: true
        arguments are written in their very types, even literals
      renames: true
        structs in the result have names of the engine's choice
      lift: {name: plain like, options: {case_sensitivity: CASE_SENSITIVE}}
        what the way back calls what it means, where no plain text says so; a name alone, or false for nothing
      refuses: {map: "maps have no order"}
        kinds of values that Spark does not take, and why
      refused: "there is no such function before Spark 4"
        why the line has no SQL as it is, whatever the dialect that this one extends has for it; an option of the line
        may have a template all the same
      shadows: true
        a producer's own meaning of a standard name, where its plan names no extension
      rule: datetime.extract
        a function in dialect/rules, for what needs code
      casts: true
        it is a cast of its argument to the type that the call declares, or else to that of `returns`
      texts: true
        numbers, booleans and times among the arguments are cast to texts: a producer does so itself
      later: ":x + INTERVAL '0.000001' SECOND * :n"
        for the rule: a point in time so many microseconds later
      flavour: re2, flags: i, takes: gi
        for the rule: whose regular expressions these are, the flags that are always on, and those that a call may give
      lift: {name: startswith, options: {case_sensitivity: CASE_SENSITIVE}}
        the calls of the engine's functions that are this one, where the line's own text does not tell
        (lift/encode/marks.py)
      each: {i8: {highest: "127"}}
        what `$highest` in the line is for each overload, by its first type: a line for several widths
        (dialect/files/widths.py)
"""

from __future__ import annotations

import importlib
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect import facts, operators, results
from substrait_sql.dialect.template import RESULT, Template, used_names
from substrait_sql.schema.functions import stem_of
from substrait_sql.schema.types import NESTED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from substrait_sql.dialect.model import Call, Node

MAIN = "dialect.yaml"
"""The file of a dialect that says what it is; as the file of a line: one for a function of the engine's own."""


class Line:
    """A function of an extension and how it is written.

    ``urn`` names the extension, ``kind`` is scalar, aggregate or window. ``own`` lines are of a user's own dialect.
    ``producer``: whose plans alone mean this by the bare name, empty for everybody's.
    """

    own = False

    def __init__(
        self, kind: str, urn: str, row: Mapping[str, Any], file: str, producer: str = ""
    ) -> None:
        self.kind, self.urn, self.row, self.file = kind, urn, row, file
        self.producer = producer
        self.name: str = row["name"]
        self.metadata: Mapping[str, Any] = row.get("metadata") or {}

    def __repr__(self) -> str:
        return f"<{self.file} {self.kind} {self.name}:{','.join(self.impls)}>"

    @cached_property
    def stem(self) -> str | None:
        """The official extension file, None for a producer's own names."""
        return stem_of(self.urn)

    @cached_property
    def impls(self) -> tuple[str, ...]:
        """The signatures this line is for, without the name."""
        return tuple(self.row["supported_impls"])

    @cached_property
    def parsed(self) -> tuple[tuple[str, ...], ...]:
        """The signatures taken apart."""
        return tuple(tuple(impl.split("_")) if impl else () for impl in self.impls)

    @cached_property
    def variadic(self) -> Mapping[str, int] | None:
        """The bounds of a function that takes any number of arguments."""
        found: Mapping[str, int] | None = self.row.get("variadic")
        return found

    @cached_property
    def deterministic(self) -> bool:
        """Whether each evaluation gives the same value."""
        return bool(self.metadata.get("deterministic", True))

    @cached_property
    def facts(self) -> facts.Facts:
        """What the line says of the function. Raises `FactError` where that is nothing to be said."""
        return facts.read(self.metadata.get("facts", []))

    @cached_property
    def args(self) -> tuple[str, ...]:
        """The argument names that templates use, enum arguments included."""
        return tuple(self.metadata.get("args", ()))

    @cached_property
    def integers(self) -> tuple[int, ...]:
        """Positions, among the values, of arguments that Spark takes as INT only."""
        names = self._value_names
        return tuple(names.index(n) for n in self.metadata.get("integers", ()))

    @cached_property
    def _value_names(self) -> list[str]:
        # Enum arguments have no SQL: a template sees the values only. In every extension file the
        # enums come first.
        enums = max((p.count("req") for p in self.parsed), default=0)
        return list(self.args[enums:])

    @cached_property
    def rule(self) -> Callable[..., Any] | None:
        """The Python function that builds this line's SQL, if it has one."""
        name = self.metadata.get("rule")
        return function_of_rules(name) if name is not None else None

    @cached_property
    def values(self) -> Callable[..., Any] | None:
        """The Python function that builds this line's SQL over an array of the argument's values, if there is one."""
        name = self.metadata.get("values")
        return function_of_rules(f"array_aggregates.{name}") if name is not None else None

    @cached_property
    def options(self) -> dict[str, dict[str, Any]]:
        """Deliverable option values by option name, both in upper case.

        The value is True, a template or a rule's function.
        """
        out: dict[str, dict[str, Any]] = {}
        for name, values in (self.metadata.get("options") or {}).items():
            out[name.upper()] = {str(v).upper(): self._delivery(how) for v, how in values.items()}
        return out

    @cached_property
    def open(self) -> dict[str, str]:
        """The value of an option that a plan does not name, both in upper case; without one it is the line as it is."""
        found = self.metadata.get("open") or {}
        return {str(name).upper(): str(value).upper() for name, value in found.items()}

    def _delivery(self, how: Any) -> Any:
        if isinstance(how, str):
            return self.template(how)
        return function_of_rules(how["rule"]) if isinstance(how, dict) else how

    @cached_property
    def strict(self) -> tuple[int, ...]:
        """Positions, among the values, of arguments whose NULL the SQL itself does not pass on."""
        return tuple(self._value_names.index(n) for n in self.metadata.get("strict", ()))

    @cached_property
    def refused_types(self) -> Mapping[str, str]:
        """The kinds of types that no argument may be of or hold, each with the reason."""
        return self.metadata.get("refuses") or {}

    @cached_property
    def doubtful_types(self) -> frozenset[str]:
        """Those kinds, and the kinds that may hold one."""
        return frozenset((*NESTED, *self.refused_types))

    @cached_property
    def refused(self) -> str:
        """Why the line has no SQL as it is; empty where it has some."""
        return str(self.metadata.get("refused", ""))

    @cached_property
    def enums(self) -> dict[str, Template] | None:
        """Templates by the value of the first enum argument, in upper case."""
        found = self.metadata.get("enum")
        return {str(v).upper(): self.template(text) for v, text in found.items()} if found else None

    def template(self, text: str) -> Template:
        """A template over this line's arguments."""
        names = self._value_names
        return Template(text, names or [n for n in used_names(text) if n != RESULT][:1])

    @cached_property
    def text(self) -> str | None:
        """The template's text, None for a line that names an operator, a function or a rule."""
        found: str | None = self.metadata.get("sql")
        return found

    @property
    def spelling(self) -> tuple[object, ...]:
        """How the line is written: equal for lines that make the same text."""
        system = self.row.get("system_metadata") or {}
        name = system.get("name", self.name) if self.text is None and self.rule is None else None
        about = (self.metadata.get(key) for key in ("rule", "flavour", "flags"))
        return self.text, name, system.get("notation"), *about

    @cached_property
    def plain(self) -> Callable[[Sequence[Node]], Node]:
        """Builds the line's SQL as it is without options."""
        if self.text is not None:
            return self.template(self.text).build
        system = self.row.get("system_metadata") or {}
        name = str(system.get("name", self.name))
        match system.get("notation", "FUNCTION"):
            case "INFIX":
                return partial(operators.fold, operators.INFIX[name.lower()])
            case "PREFIX":
                prefix = operators.PREFIX[name.lower()]
                return lambda values: operators.prefix(prefix, values[0])
        return lambda values: operators.call(name, *values)

    @cached_property
    def casts(self) -> bool:
        """Whether it is a cast of its argument."""
        return bool(self.metadata.get("casts"))

    @cached_property
    def as_it_is(self) -> bool:
        """Whether each call without options is built by `plain`, whatever its arguments are."""
        said = (self.refused, self.rule, self.casts, self.integers, self.strict, self.enums)
        return not any(said) and "empty" not in self.metadata

    @cached_property
    def all_there_is(self) -> bool:
        """Whether calls of it need nothing but `plain`, as far as the line says; their options and types may."""
        said = (self.exact, self.open, self.metadata.get("renames"), self.own)
        typed = self.yields is None or self._tests
        return (
            self.kind == "scalar"
            and self.as_it_is
            and self.deterministic
            and typed
            and not any(said)
            and not self._repeats
        )

    @property
    def _repeats(self) -> bool:
        """Whether the template writes an argument twice, which must not be a long one then."""
        names = used_names(self.text or "")
        return len(names) > len(set(names))

    @cached_property
    def alike(self) -> bool:
        """Whether Spark makes one type of the arguments."""
        return bool(self.metadata.get("alike"))

    @cached_property
    def exact(self) -> bool:
        """Whether arguments are written in their very types."""
        return bool(self.metadata.get("exact"))

    @cached_property
    def yields(self) -> str | None:
        """What Spark yields, as text (`results.resolve`); None where that is the extension file's own type."""
        found: str | None = self.metadata.get("returns")
        return found

    @cached_property
    def _tests(self) -> bool:
        """Whether the result is a boolean."""
        return self.yields in ("boolean", "boolean?")

    def returns(self, call: Call, types: Sequence[Any] | None = None) -> Any:
        """What Spark yields for this call, or would for arguments of other types.

        None where the line promises the extension file's own type, or nothing is known.
        """
        if self.yields is None:
            return None
        if self._tests and types is None and call.output_kind == "bool":
            # Which as a type is the same whether it may be NULL or not.
            return call.output_type
        return results.resolve(self.yields, types or call.types, mirror=self.kind == "scalar")


def function_of_rules(name: str) -> Callable[..., Any]:
    """``formats.strftime``: the function of that module of the rules."""
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(
        importlib.import_module(f"substrait_sql.dialect.rules.{module}"), function
    )
    return found
