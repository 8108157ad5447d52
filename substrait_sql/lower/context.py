"""What every lowering function can ask: the plan's declarations, the dialect, and the record that expressions see."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from substrait_sql.errors import Diagnostic, InvalidPlanError, Severity, node_path
from substrait_sql.plan.widths import Subtrees, Widths
from substrait_sql.schema import types
from substrait_sql.select.asked import VALUE, Asked
from substrait_sql.select.field import Field, Parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlglot import exp

    SchemaFinder = Callable[[tuple[str, ...]], Mapping[str, Any]]

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.lower.expressions.functions.callee import Callee
    from substrait_sql.lower.value import Value
    from substrait_sql.lower.writes.alterations import TableFinder
    from substrait_sql.plan.habits import Habits
    from substrait_sql.plan.work import Work
    from substrait_sql.rendered import Source, View
    from substrait_sql.schema.functions import Functions
    from substrait_sql.select.block import Block
    from substrait_sql.select.item import SelectScope
    from substrait_sql.select.rounds import Recursion
    from substrait_sql.wire.inside import Held
    from substrait_sql.wire.path import Path

    # Lowers a relation that a rewriting has made.
    Made = Callable[["Context", Path, "Env | None"], Block]

_PER_RECORD = 2
_AS_BEFORE = nullcontext()


class Given:
    """What a plan says of values that are known when it runs.

    bindings: the values of parameters that the plan has itself, by anchor; bound_twice: the anchors that have several.
    parameters: those it asks for, by their name in the SQL, with their type. per_record: whether the variables of the
    execution change from record to record. root: the index of the root that is being lowered; clock: of the one that
    asks for the time. schema_of: the types of a table's columns by name, for plans that have none.
    """

    __slots__ = (
        "bindings",
        "bound_twice",
        "clock",
        "parameters",
        "per_record",
        "root",
        "schema_of",
    )

    def __init__(self, plan: Any, schema_of: SchemaFinder | None = None) -> None:
        self.schema_of = schema_of
        anchors = [b.parameter_anchor for b in plan.parameter_bindings]
        self.bound_twice = {a for a in anchors if anchors.count(a) > 1}
        self.bindings = {b.parameter_anchor: b.value for b in plan.parameter_bindings}
        self.parameters: dict[str, str] = {}
        self.root = 0
        self.clock: int | None = None
        self.per_record = plan.execution_behavior.variable_eval_mode == _PER_RECORD


class Shared(Subtrees, Protocol):
    """The queries that a plan reads more than once; `lower.sharing.queries` has them."""

    free: dict[int, bool]

    def recursion(self, block: Block, opened: Recursion) -> Block:
        """A block over a query that reads itself. opened: how."""
        ...

    def declarations(self, ordinal: int) -> Any:
        """The outer references that a subtree declares as its parameters."""

    def use(self, message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
        """A block that reads the subtree with the ordinal of a ReferenceRel."""

    def make(self, lower: Made, width: int) -> Any:
        """A relation for a rewritten plan that `lower` gives the block of."""

    def made_of(self, block: Block) -> Any:
        """A relation that reads the rows of a shared block once more."""

    def make_domain(self, block: Block, fields: list[int]) -> Any:
        """A relation of the distinct values of some columns of a shared block."""

    def host(self, block: Block) -> Block:
        """A block over the same rows, which are shared."""

    def share(self, block: Block, computed: dict[str, Field]) -> Callable[[], Block]:
        """A function that makes a block over these rows, each time it is called."""

    def reader_of(self, block: Block) -> Callable[[], Block] | None:
        """The same where the rows keep their order; None where they are drawn."""

    def attach(self, query: exp.Query, scope: SelectScope, mapped: bool = False) -> exp.Query:
        """Puts the shared queries that a root reads in front of it, and settles all names."""


class Context:
    """The plan-wide facts. width: of a relation that has to be lowered for it."""

    def __init__(
        self,
        dialect: Dialect,
        functions: Functions,
        habits: Habits,
        shared: Shared,
        table_names: Mapping[tuple[str, ...], tuple[str, ...]],
        given: Given,
        work: Work,
        held: Held,
        width: Callable[[Any, Context], int],
    ) -> None:
        self.given = given
        self.work = work
        self.held = held
        self.dialect = dialect
        # What calls need to know of the functions that they are of, by anchor.
        self.callees: dict[int, Callee] = {}
        self.functions = functions
        self.habits = habits
        self.shared = shared
        self._width = width
        self._measured: list[int] = []
        self.table_names = table_names
        self.sources: dict[tuple[str, ...], Source] = {}
        # The temporary views that have to be there before the statements.
        self.views: list[View] = []
        self._anchor = 2**32
        # Whether a relation's names are those that a text gave its columns, not those that a producer makes up.
        self.names_are_the_authors = False
        # Whether branches of a CASE are numbers of several types: calls declare what they are over the first one.
        self.misses_casts = False
        # Whether a time of day occurs.
        self.times = False
        # The recursions whose steps are being lowered, the nearest last.
        self.recursions: list[Recursion] = []
        # The plan's own lambdas, by anchor, and where in the plan they stand.
        self.lambdas: dict[int, tuple[Any, Path]] = {}
        # What `check` collects: with a list here an expression that cannot be lowered is noted and passed over.
        self.findings: list[Diagnostic] | None = None
        # Whether the SQL is to say which node of the plan it comes from.
        self.mapped = False
        # The formats of the tables that are written to, by name parts in lower case; under () of all others.
        self.formats: Mapping[tuple[str, ...], str] = {}
        # Says what a table is that is to be altered.
        self.table_of: TableFinder | None = None
        # What `explain` shows: the (name, type) of each output column of each relation, by its path.
        self.outputs: dict[str, list[tuple[str, Any]]] | None = None
        # What was noted on the way to the SQL, each code with its text, or place, once.
        self.notes: dict[tuple[str, str], Diagnostic] = {}
        # The nodes, by what they may have lost, that only the name of their column would tell apart, see `lost`.
        self.nameless: dict[str, dict[str, Path]] = {}
        # The first cast of a struct whose fields may have another order, by the names of its fields.
        self.recast: dict[tuple[str, ...], Path] = {}

    @property
    def widths(self) -> Widths:
        """How many columns the plan's relations return; not kept here, as it holds this context itself."""
        return Widths(
            lambda: self.shared,
            self.habits,
            lambda rel: self._width(rel, self),
            self._measured,
        )

    def note(self, code: str, text: str, path: Path, hint: str = "", *, once: bool = True) -> None:
        """Warns of something. once: the same at a second node is not repeated."""
        key = code, text if once else str(path)
        if key not in self.notes:
            self.notes[key] = Diagnostic(code, text, node_path(path), hint, Severity.WARNING)

    def fresh_anchor(self) -> int:
        """A rel_anchor for a relation that a rewriting makes; plans number theirs from below."""
        self._anchor -= 1
        return self._anchor

    def named_lambda(self, anchor: int, path: Path) -> tuple[Any, Path]:
        """A lambda of the plan and its path. Raises SS2159 where the plan has none of this anchor."""
        if anchor not in self.lambdas:
            raise InvalidPlanError.of(
                "SS2159", f"the plan has no lambda with anchor {anchor}", path
            )
        return self.lambdas[anchor]

    def saw(self, type: Any) -> None:
        """Notes a type that the SQL holds: that of a time of day has to be switched on."""
        self.times = self.times or types.holds(type, "precision_time")

    def saw_table(self, declared: Sequence[Any]) -> None:
        """The same for the types of a table's columns, used or not: a view of it is analysed with the query."""
        self.times = self.times or any(t.HasField("precision_time") for t in declared)

    def type_node(self, type: Any, path: Path) -> exp.Expression:
        """A Substrait type as the target of a cast."""
        self.saw(type)
        return self.dialect.types.type_node(type, path)


class Env:
    """The record that an expression sees, and what it has used so far.

    outer: the environment of the expression that hosts the enclosing subquery, None at the top.
    lateral: this is the left row of a lateral join, which `steps_out` does not count.
    paired: the record is made of both sides of a join, which nothing but the join's condition sees.
    anchors: where the record of each anchored relation begins in this one.
    seen_above: the ids of the fields that the relation above sees as well, so that a heavy one may not move into the
    expression; None for all.
    queries_apart: a subquery becomes a column of a derived table first.
    """

    __slots__ = (
        "anchors",
        "asked",
        "block",
        "callee",
        "context",
        "fields",
        "given",
        "keeps",
        "lambdas",
        "lateral",
        "moved",
        "nonzero",
        "outer",
        "paired",
        "parts",
        "plain",
        "queries_apart",
        "seen_above",
        "whole",
    )

    def __init__(
        self,
        context: Context,
        block: Block,
        outer: Env | None = None,
        fields: list[Field] | None = None,
        seen_above: frozenset[int] | None = None,
        anchor: int = 0,
        lateral: bool = False,
        paired: bool = False,
    ) -> None:
        # Both conventions exist: the anchor on the relation that hosts a subquery, and on the input of that relation.
        self.anchors = {**block.anchors, anchor: 0} if anchor else block.anchors
        self.lateral = lateral
        self.paired = paired
        self.context = context
        self.block = block
        self.outer = outer
        self.fields = block.fields if fields is None else fields
        self.seen_above = seen_above
        self.queries_apart = False
        self.moved: set[int] = set()
        # The ids of the fields that are not zero in the branch of a CASE that is lowered.
        self.nonzero: frozenset[int] = frozenset()
        # The parameters of the lambdas around, outermost first. The function whose arguments are lowered, and those
        # before this one: they say what a lambda's parameters are.
        self.lambdas: list[list[Value]] = []
        self.callee = ""
        self.given: Sequence[Value] = ()
        self.asked = VALUE
        # The paths of each IN that is the whole of a condition, or all of it but a NOT.
        self.whole: set[str] = set()
        # Whether these are conditions of a WHERE or HAVING; and whether its query refers to nothing around it.
        self.keeps = False
        self.plain = False
        self.parts = Parts()

    def field(self, ordinal: int, path: Path) -> Field:
        """The field of the record, or an error that says how many there are."""
        if 0 <= ordinal < len(self.fields):
            return self.fields[ordinal]
        raise InvalidPlanError.of(
            "SS2101",
            f"field {ordinal} does not exist: the record has {len(self.fields)}",
            path,
            "ordinals count from 0 and refer to the record that the expression sees, before any emit",
        )

    def used_elsewhere(self, field: Field) -> bool:
        """Whether the relation above sees the field as well, or an expression before this one has it."""
        seen = self.seen_above
        return seen is None or id(field) in seen or id(field) in self.moved

    def field_of(self, anchor: int, ordinal: int, path: Path) -> Field:
        """The field of the anchored relation whose record is this one, or a part of it."""
        return self.field(self.anchors[anchor] + ordinal if ordinal >= 0 else ordinal, path)

    def take(self) -> Parts:
        """What has been used since the last call; the next expression starts with nothing."""
        parts, self.parts = self.parts, Parts()
        return parts

    # -- for the time of a `with` ---------------------------------------------------------------------------------

    @contextmanager
    def apart(self) -> Iterator[Parts]:
        """What is used inside is noted by itself: who opens it adds it to the rest, or lets it go."""
        outside, self.parts = self.parts, Parts()
        try:
            yield self.parts
        finally:
            self.parts = outside

    def asking(self, asked: Asked, *, plain: bool = True) -> AbstractContextManager[None]:
        """That is asked of what is inside. plain: whether it may be plain, if what is around is."""
        if asked is self.asked and (plain or not self.plain):
            return _AS_BEFORE
        return _Asking(self, asked, plain and self.plain)

    @contextmanager
    def knowing(self, nonzero: frozenset[int]) -> Iterator[None]:
        """These fields are not zero inside, besides those of which it is known already."""
        before, self.nonzero = self.nonzero, self.nonzero | nonzero
        try:
            yield
        finally:
            self.nonzero = before

    @contextmanager
    def seeing(self, fields: list[Field]) -> Iterator[None]:
        """What is inside sees these fields of the record, under ordinals of their own."""
        record, self.fields = self.fields, fields
        try:
            yield
        finally:
            self.fields = record

    @contextmanager
    def inside(self, parameters: list[Value]) -> Iterator[None]:
        """What is inside is the body of a lambda with these parameters."""
        self.lambdas.append(parameters)
        try:
            yield
        finally:
            self.lambdas.pop()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """What is inside sees nothing of the place where it is used, as a lambda of the plan."""
        outer, lambdas = self.outer, self.lambdas
        self.outer, self.lambdas = None, []
        try:
            with self.seeing([]):
                yield
        finally:
            self.outer, self.lambdas = outer, lambdas


class _Asking(AbstractContextManager[None]):
    """See `Env.asking`; there is one about most expressions, and a generator takes three times as long."""

    __slots__ = ("asked", "before", "env", "plain")

    def __init__(self, env: Env, asked: Asked, plain: bool) -> None:
        self.env, self.asked, self.plain = env, asked, plain
        self.before = env.asked, env.plain

    def __enter__(self) -> None:
        self.env.asked, self.env.plain = self.asked, self.plain

    def __exit__(self, *_: object) -> None:
        self.env.asked, self.env.plain = self.before


Message = Any  # a message of the private bindings, see wire.descriptors; the stubs of the released ones do not know it
