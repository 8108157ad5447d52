"""A dialect: calls of Substrait functions in, SQL with its types out."""

from __future__ import annotations

from copy import copy
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import apart, calls, operators, results
from substrait_sql.dialect.calls import aggregates, hold, keep_decimals, make_distinct, over
from substrait_sql.dialect.files import official
from substrait_sql.dialect.line import MAIN
from substrait_sql.dialect.load import Folder, available, chain, installed, is_path
from substrait_sql.dialect.model import Built, Call, Node
from substrait_sql.dialect.resolve import Resolver, is_own
from substrait_sql.dialect.rules import again as clone
from substrait_sql.dialect.rules import as_int, decimals
from substrait_sql.dialect.target import Target
from substrait_sql.dialect.template import Template
from substrait_sql.dialect.types import TypeNames
from substrait_sql.errors import refuse
from substrait_sql.schema import naming
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from substrait_sql.dialect.custom.folder import Chain, OwnFolder
    from substrait_sql.dialect.facts import Facts
    from substrait_sql.dialect.line import Line
    from substrait_sql.schema.functions import FunctionName

    Rule = Callable[[Call, Line], tuple[Node, Any]]

_INTEGERS = ("i8", "i16", "i32", "i64")


class Dialect:
    """One dialect, read from ``dialects/<name>/``, and the user's own folders on top of it.

    ``chain`` lists those that ship with this package, it and the dialects it extends, nearest first.
    """

    def __init__(self, name: str, own: Sequence[OwnFolder] = ()) -> None:
        self.name = name
        self.folders = chain(name)
        self.all_folders: list[OwnFolder | Folder] = [*own, *self.folders]
        self.chain: tuple[str, ...] = tuple(folder.path.name for folder in self.folders)
        listed: list[Any] = next(
            (f.main["supported_types"] for f in self.folders if "supported_types" in f.main), []
        )
        said = self.target = Target([*(f.said for f in own), *(f.said for f in self.folders)])
        self.names, self.builtins, self.settings = said.names, said.builtins, said.settings
        self.template_folders = tuple(f.files.path / "templates" for f in own)
        self.types = TypeNames(listed, self.names)
        for folder in reversed(own):
            for type_name, row in folder.types.items():
                self.types.add(type_name, row.get("name"), row["structure"])
        self._extensions = {u: e for f in own for u, e in f.extensions.items()}
        # The types of the user's own extensions: URN, and name in lower case.
        self.user_types = frozenset((u, n) for u, e in self._extensions.items() for n in e.types)
        self._stems = {e.stem: u for u, e in self._extensions.items()}
        self._resolver = Resolver(self.all_folders, self.builtins)
        # The same for the plans of each producer.
        self._by_producer: dict[str, Dialect] = {}
        self._open: dict[str, str] = {}
        for file in reversed(own):
            if file.open_options:
                said_at = file.files.file(MAIN).at(["metadata", "open_options"])
                self._check_open(file.open_options, said_at)
            self._open.update(file.open_options)

    def opened(self, options: Mapping[str, str]) -> Dialect:
        """The dialect with other values for options that plans leave open, by name.

        Raises `DialectError` SS2409 for an option that no function has, and a value of it that none has.
        """
        wanted = {name.upper(): value.upper() for name, value in options.items()}
        self._check_open(wanted)
        other = self._other()
        other._open = {**self._open, **wanted}
        return other

    def _check_open(self, wanted: Mapping[str, str], place: str = "") -> None:
        if wanted:
            calls.check_open(wanted, (x for f in self.all_folders for x in f.all_lines()), place)

    def written(self, where: str | None, look: Mapping[str, Any] | None) -> Dialect:
        """The dialect with other words for how its texts look, see `Target.written`."""
        other = self._other()
        other.target = self.target.written(where, look)
        return other

    def _other(self) -> Dialect:
        other = copy(self)
        other._by_producer = {}
        return other

    def of(self, producer: str) -> Dialect:
        """The dialect for plans of this producer, empty where it is not known: functions of others are not seen."""
        found = self._by_producer.get(producer)
        if found is None:
            found = self._other()
            found._resolver = self._resolver.of(producer)
            self._by_producer[producer] = found
        return found

    def urn_of(self, declared: str) -> str:
        """The URN of an extension of the user's own that old plans name by the place of its file."""
        if declared in self._extensions or not self._stems:
            return declared
        file = declared.replace("\\", "/").rpartition("/")[2]
        stem, _, ending = file.rpartition(".")
        return self._stems.get(stem, declared) if ending in ("yaml", "yml") else declared

    @cached_property
    def gives_back(self) -> frozenset[str]:
        """The engine's functions that give back an argument or a part of it, structs with their names."""
        return frozenset(name for folder in self.folders for name in folder.gives_back)

    def facts(self, kind: str, function: FunctionName) -> Facts:
        """What is known of a function, called as a scalar, an aggregate or a window function."""
        return self._resolver.facts(kind, function)

    def takes_texts(self, function: FunctionName) -> bool:
        """Whether a producer casts other arguments of the function to texts, which its plans do not say."""
        return self._resolver.takes_texts(function)

    def sql_type(self, t: Any, path: object = "") -> str:
        """The SQL text of a Substrait type."""
        return self.types.sql_type(t, path)

    def type_node(self, t: Any, path: object = "") -> Node:
        """A Substrait type as the target of a cast."""
        return self.types.type_node(t, path)

    def scalar(self, call: Call) -> Built:
        """A scalar function.

        Raises `UnsupportedError` for a function, overload or option there is no right SQL for.
        """
        line, impl = self._find(("scalar",), call)
        if line.casts:
            declared = call.output_type if call.output_kind is not None else line.returns(call)
            return Built(call.values[0], declared, casts=True)
        built = _finish(line, impl, call, *_build(line, call, self._open))
        built.impure = not line.deterministic
        if (
            line.metadata.get("renames")
            and built.type is not None
            and ty.holds(built.type, "struct")
            and not naming.known(built.sql_type, built.type)
        ):
            # The engine names the fields as it likes; a plan knows them by their places.
            built.sql = operators.cast(built.sql, self.type_node(built.type, call.path))
            built.sql_type = None
        return built

    def plain(self, call: Call) -> Built | None:
        """A scalar function whose line is all there is to say, as an operator's is mostly; None for any other call.

        Raises as `scalar` does.
        """
        line, _, plain = self._resolver.find(("scalar",), call)
        if not plain or call.options or self._open:
            return None
        declared = call.output_kind
        if (declared in (None, "decimal")) if line.yields is None else (declared != "bool"):
            return None
        values: list[Node] = []
        for each in call.valued:
            # A whole number may be written as another one than it is declared: nothing that is plain minds.
            if each.sql_type is not None and each.sql_type.WhichOneof("kind") not in _INTEGERS:
                return None
            if type(each.sql) is exp.Cast and calls.is_empty_list(each.sql):
                return None
            values.append(each.sql)  # type: ignore[arg-type]
        return Built(line.plain(values), call.output_type)

    def aggregate(self, call: Call) -> Built:
        """An aggregate function, without FILTER or OVER; DISTINCT goes inside: ``count(DISTINCT x)``."""
        return self._aggregate(("aggregate",), call)

    def window(self, call: Call) -> Built:
        """A window function, or an aggregate function used as one, without its OVER clause."""
        return self._aggregate(("window", "aggregate"), call)

    def over_values(self, call: Call, values: Node) -> Built:
        """An aggregate or window function over an array of the values of its first argument.

        Raises `UnsupportedError` SS2171 for a function that has no form of that kind.
        """
        line, impl = self._find(("window", "aggregate"), call)
        if line.values is None or (call.options and calls.chosen(line, call, self._open)):
            raise refuse(
                "SS2171",
                f"Spark's OVER has no words for this window, and {call.function.name} none for an array of values",
                call.path,
                "aggregate the rows of each window in a subquery instead",
            )
        return _finish(line, impl, call, *line.values(call, line, values))

    def _find(self, kinds: tuple[str, ...], call: Call) -> tuple[Line, str]:
        line, impl, _ = self._resolver.find(kinds, call)
        if is_own(line):
            line.check(impl, call)
        elif "func" in impl:
            calls.check_lambdas(line, impl, call)
        return line, impl

    def _aggregate(self, kinds: tuple[str, ...], call: Call) -> Built:
        line, impl = self._find(kinds, call)
        sql, yields = _build(line, call, self._open)
        calls = tuple(aggregates(sql, self.builtins))
        if call.distinct:
            make_distinct(calls, call)
        built = _finish(line, impl, call, sql, yields)
        built.calls = calls
        built.registered = is_own(line) and line.registered
        if isinstance(sql, exp.Null) and built.type is not None:
            built.sql = operators.cast(sql, self.type_node(built.type, call.path))
        return built


def _build(line: Line, call: Call, left_open: Mapping[str, str]) -> tuple[Node, Any]:
    """The SQL of a line for a call, and what Spark yields for it: None where that is the extension file's own type.

    left_open: see `calls.chosen`.
    """
    if line.refused_types:
        calls.refuse_types(line, call)
    asked = (call.options or left_open or line.open) and (line.options or not line.refused)
    chosen = calls.chosen(line, call, left_open) if asked else []
    around = [t for t in chosen if isinstance(t, Template) and t.wraps]
    instead = [t for t in chosen if t not in around]
    if len(instead) > 1:
        message = f"{call.function} cannot be delivered with all of its options at once"
        raise refuse("SS2221", message, call.path, "")
    if line.refused and not instead:
        raise refuse("SS2222", f"{call.function}: {line.refused}", call.path, "")
    if call.make_exact is not None and (line.own or _wants_exact(line, call, bool(chosen))):
        call.make_exact(call)
    keep_decimals(call)
    if line.alike and not calls.brought_together(call):
        return apart.of_line(line, call), line.returns(call)
    if line.alike:
        calls.leave_types_out(call)
    if not chosen and line.yields in ("add", "multiply"):
        decimals.keep_places(call, line)
    held = hold(call) if around and line.rule is None else None
    sql, yields = _plain(line, call, *instead)
    for template in around:
        sql = template.around(sql, call.values)
    return (sql if held is None else over(held, sql)), yields


def _wants_exact(line: Line, call: Call, chosen: bool) -> bool:
    """Whether the call is another one unless its arguments are in SQL of their very types.

    A literal is written as short as it can be: Spark's quotient by it has fewer decimal places then than by a decimal
    of the size that the plan declares. chosen: whether options ask for something.
    """
    if line.exact:
        return True
    if line.kind != "scalar" or chosen:
        return chosen and line.kind == "scalar"
    if line.yields is None or not results.may_be_decimal(line.yields):
        return False
    if all(a.sql_type is None or a.sql_type is a.type for a in call.valued):
        return False
    written, declared = line.returns(call), line.returns(call, [a.type for a in call.valued])
    if ty.kind(written) != "decimal" or ty.kind(declared) != "decimal":
        return False
    places: int = declared.decimal.scale
    if call.output_kind == "decimal":
        places = min(places, call.output_type.decimal.scale)  # type: ignore[union-attr]
    return bool(written.decimal.scale < places)


def _plain(line: Line, call: Call, instead: Template | Rule | None = None) -> tuple[Node, Any]:
    """The SQL without what options put around it. instead: what an option has in the place of the line's own."""
    if line.as_it_is and instead is None:
        return line.plain(call.values), line.returns(call)
    rule = line.rule if instead is None else instead
    if rule is not None and not isinstance(rule, Template):
        sql, yields = rule(call, line)
        return sql, yields
    values = call.values
    for index in line.integers:
        if index < len(values):
            values[index] = as_int(values[index], call.types[index])
    if line.strict:
        template = instead if isinstance(instead, Template) else line.template(line.text or "")
        return _unless_null(line, call, template), line.returns(call)
    if isinstance(instead, Template):
        return instead.build(values), line.returns(call)
    if line.enums is not None:
        return _by_enum(line, call).build(values), line.returns(call)
    if not values and "empty" in line.metadata:
        return Template(line.metadata["empty"], ()).build(()), line.returns(call)
    return line.plain(values), line.returns(call)


def _unless_null(line: Line, call: Call, template: Template) -> Node:
    """The SQL, asked for only where none of the arguments is NULL that it would not ask about itself."""
    values = call.values
    doubtful = [i for i in line.strict if call.types[i] is None or ty.nullable(call.types[i])]
    known = [operators.is_null(clone(values[i]), negated=True) for i in doubtful]
    found = template.build(values)
    return (
        found
        if not known
        else exp.Case(ifs=[exp.If(this=operators.fold(exp.And, known), true=found)])
    )


def _by_enum(line: Line, call: Call) -> Template:
    value = next((a.enum for a in call.arguments if a.enum is not None), "")
    found = (line.enums or {}).get(value.upper())
    if found is None:
        known = ", ".join(line.enums or ())
        raise refuse(
            "SS2222", f"{call.function} has no SQL for {value}", call.path, f"there is for: {known}"
        )
    return found


def _finish(line: Line, impl: str, call: Call, sql: Node, yields: Any) -> Built:
    """The types of a result: as declared, else of the extension file if the plan names one, else what Spark yields."""
    declared = call.output_type if call.output_kind is not None else None
    if is_own(line) and line.stem is None:
        derived = line.derived(impl, call)
        yields = naming.said(derived) if yields is None else yields
        return Built(sql, derived if declared is None else declared, yields)
    if declared is not None and call.output_kind != "bool" and ty.kind(yields) == "bool":
        # DuckDB declares its comparisons with the type of what they compare.
        declared = ty.boolean(nullable=ty.nullable(declared))
    cut = call.output_kind == "decimal" and _loses_digits(yields, declared)
    if declared is not None and not cut:
        return Built(sql, declared, yields)
    derived = None
    if line.stem is not None and (call.function.stem is not None or yields is None):
        types = [a.type for a in call.valued]
        derived = official.returns(line.stem, line.kind, line.name, impl, types)
    if declared is not None and derived is not None and ty.same(declared, derived):
        return Built(sql, declared, yields)
    if declared is not None:
        return Built(sql, ty.with_nullability(yields, ty.nullable(declared)))
    return Built(sql, yields if derived is None else derived, yields)


def _loses_digits(yields: Any, declared: Any) -> bool:
    """Whether a declared decimal has fewer decimal places than the function gives.

    isthmus types quotients and averages as Calcite does (the average of ``decimal(15,2)`` has two places there), and
    means the value all the same. Only the extension file's own result type may round.
    """
    if ty.kind(declared) != "decimal" or ty.kind(yields) != "decimal":
        return False
    return bool(yields.decimal.scale > declared.decimal.scale)


def load(dialect: str | PathLike[str]) -> Dialect:
    """The dialect of this name, read once; or that of a folder, read again whenever a file in it is another.

    Raises `UnsupportedError` SS2401 if there is none of that name, `DialectError` for a folder that is not as it
    must be.
    """
    if is_path(dialect):
        return _own(_chain(Path(dialect)))
    if dialect not in available() and (found := installed().get(str(dialect))) is not None:
        return _own(_chain(found))
    return _packaged(str(dialect))


@cache
def _packaged(name: str) -> Dialect:
    return Dialect(name)


def _chain(folder: Path) -> Chain:
    from substrait_sql.dialect.custom.folder import read

    return read(folder)


@lru_cache(maxsize=16)
def _own(found: Chain) -> Dialect:
    from substrait_sql.dialect.custom.folder import build

    shipped = [folder.said for folder in _packaged(found.base).folders]
    return Dialect(found.base, build(found, shipped))
