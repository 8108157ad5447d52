"""A whole plan: its roots, the subtrees they share, and the statements that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.assemble.query import assemble
from substrait_sql.errors import Diagnostic, SubstraitSqlError, UnsupportedError, invalid, refuse
from substrait_sql.lower.context import Context, Given
from substrait_sql.lower.lost import check_fields, check_names, warn_lost
from substrait_sql.lower.output import exact_output, inner_names
from substrait_sql.lower.relation import emit, relation
from substrait_sql.lower.sharing.queries import SharedQueries
from substrait_sql.lower.sharing.repeated import share_repeated
from substrait_sql.lower.writes.actions import KINDS
from substrait_sql.lower.writes.returning import parts_of, tables_of
from substrait_sql.plan.enhancements import CHANGES
from substrait_sql.plan.extended import Place, as_plan
from substrait_sql.plan.merged_keys import merge_keys
from substrait_sql.plan.named_queries import as_subtrees
from substrait_sql.plan.producers import OWN, habits_of, producer_of
from substrait_sql.plan.results import roots_of
from substrait_sql.plan.work import Work
from substrait_sql.rendered import Column, Source, View
from substrait_sql.schema import naming, types
from substrait_sql.schema.aliases import resolve_aliases
from substrait_sql.schema.arrow_types import read_arrow_types
from substrait_sql.schema.functions import Functions
from substrait_sql.schema.user_defined import name_dictionaries, name_types, name_unsigned
from substrait_sql.select.signals import CloseBlock, Rewrite
from substrait_sql.wire.inside import relations_of
from substrait_sql.wire.path import ROOT, Path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlglot import exp

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.lower.context import SchemaFinder
    from substrait_sql.lower.writes.actions import Action
    from substrait_sql.lower.writes.alterations import TableFinder
    from substrait_sql.plan.habits import Habits
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.wire import Decoded


@dataclass(frozen=True, slots=True)
class LoweredRoot:
    """One root as a query; None if it only defines something. index: its place in ``Plan.relations``."""

    query: exp.Query | None
    index: int
    columns: tuple[Column, ...]
    # What the plan does with the rows, if it does more than to return them.
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Lowered:
    """A plan as queries, with the tables they read."""

    roots: tuple[LoweredRoot, ...]
    sources: tuple[Source, ...]
    # The parameters that the plan asks for: their names in the SQL, and their types.
    parameters: Mapping[str, str]
    # Whether a time of day occurs, a type that Spark has switched off by default.
    times: bool = False
    # The temporary views that have to be there first.
    views: tuple[View, ...] = ()
    # What to be warned of.
    diagnostics: tuple[Diagnostic, ...] = ()
    # Where somebody asks for the source map: the relations of the plan.
    relations: tuple[Path, ...] = ()


def lower(
    decoded: Decoded,
    dialect: Dialect,
    table_names: Mapping[tuple[str, ...], tuple[str, ...]] | None = None,
    *,
    mapped: bool = False,
    schema_of: SchemaFinder | None = None,
    formats: Mapping[tuple[str, ...], str] | None = None,
    table_of: TableFinder | None = None,
    habits: Habits | None = None,
) -> Lowered:
    """Each root of the plan as a query of its own. A plan of bare relations has one result (`roots_of`).

    formats: those of the tables that are written to, by name parts in lower case; under () of all others. table_of:
    says what a table is that is to be altered. habits: how to read the plan, if not as its producer means it.
    """
    decoded = as_plan(decoded)
    plan = decoded.plan
    cx = context_of(decoded, dialect, table_names, schema_of, habits)
    cx.mapped, cx.formats, cx.table_of = mapped, formats or {}, table_of
    _merge_keys(plan, cx)
    _refuse_plan_extensions(plan)
    roots = roots_of(plan)
    lowered = []
    drawn: set[int] = set()
    parts = [(i, part) for i in roots for part in parts_of(plan.relations[i])]
    for i, part in parts:
        shared = SharedQueries(plan, dialect.target)
        lowered.append(_root(part, i, place_of(decoded, i), cx, shared, mapped))
        # A root that another one reads is computed for itself as well.
        again = shared.drawn & (drawn | set(roots))
        if again:
            raise refuse(
                "SS2075",
                "two results of the plan read the same random values, and each would draw its own",
                (ROOT / "relations")[min(again)],
                "write the shared relation to a table first",
            )
        drawn |= shared.drawn
    own = {name for i in roots for name in tables_of(plan.relations[i])}
    sources = tuple(s for s in cx.sources.values() if s.names not in own)
    for source in sources:
        source.anonymous = decoded.kind != "plan"
    found = tuple(relations_of(plan, ROOT)) if mapped else ()
    views, notes = _views_read(cx), tuple(cx.notes.values())
    return Lowered(
        tuple(lowered), sources, cx.given.parameters, cx.times, views, notes, relations=found
    )


def place_of(decoded: Decoded, index: int) -> Path:
    """Where a relation of the plan stands in what was read."""
    return (ROOT / "relations")[index] if decoded.kind == "plan" else Place(step="referred_expr")


def _views_read(cx: Context) -> tuple[View, ...]:
    """The views that are read under their own names, none of which may be that of a table that is read, too."""
    sources = [s for s in cx.sources.values() if s.key not in cx.table_names]
    views = list(dict.fromkeys(s.view for s in sources if s.view is not None))
    tables = {s.names[-1].casefold(): s for s in sources if s.view is None and not s.reader}
    for view in views:
        table = tables.get(view.name.casefold())
        if table is not None:
            raise UnsupportedError.of(
                "SS2253",
                f"a temporary view {view.name} would hide the table that is read here",
                table.path,
                "rename the table",
            )
    return tuple(views)


def context_of(
    decoded: Decoded,
    dialect: Dialect,
    table_names: Mapping[tuple[str, ...], tuple[str, ...]] | None = None,
    schema_of: SchemaFinder | None = None,
    habits: Habits | None = None,
) -> Context:
    """What the lowering functions ask about this plan."""
    plan, held = decoded.plan, decoded.held()
    resolve_aliases(plan)
    if decoded.producer == OWN:
        as_subtrees(plan)
    for declared in plan.extension_urns:
        declared.urn = dialect.urn_of(declared.urn)
    habits = habits or habits_of(decoded)
    name_types(plan, dialect.user_types, forget=habits.undeclared_types)
    if habits.arrow_types:
        read_arrow_types(plan)
    if habits.unsigned_by_variation:
        name_unsigned(plan, held.written)
    if habits.dictionaries_are_maps:
        name_dictionaries(plan, held.written)
    shared = SharedQueries(plan, dialect.target)
    names = dict(table_names or {})
    given = Given(plan, schema_of)
    functions, work = Functions(plan), Work(plan)
    dialect = dialect.of(producer_of(decoded))
    cx = Context(dialect, functions, habits, shared, names, given, work, held, _width)
    cx.names_are_the_authors = decoded.producer == OWN
    for i, item in enumerate(getattr(plan, "named_lambdas", ())):
        at = (ROOT / "named_lambdas")[i] / "lambda"
        cx.lambdas[item.lambda_anchor] = getattr(item, "lambda"), at
    return cx


def _merge_keys(plan: Any, cx: Context) -> None:
    if cx.habits.merges_keys:
        for path in merge_keys(plan, cx.functions, ROOT):
            warn_lost("selection", cx, path)


def _width(rel: Any, cx: Context) -> int:
    return len(relation(rel, cx, ROOT).fields)


def _refuse_plan_extensions(plan: Any) -> None:
    if plan.advanced_extensions.HasField("enhancement"):
        url = plan.advanced_extensions.enhancement.type_url
        raise refuse(
            "SS2012",
            f"the plan carries an enhancement that is not known here: {url}",
            ROOT / "advanced_extensions",
            CHANGES,
        )


def find_problems(decoded: Decoded, dialect: Dialect) -> list[Diagnostic]:
    """Every problem of a plan that can be found without repairing another one first. Raises for those that hide all."""
    decoded = as_plan(decoded)
    cx = context_of(decoded, dialect)
    found: list[Diagnostic] = []
    cx.findings = found
    try:
        roots = roots_of(decoded.plan)
        _refuse_plan_extensions(decoded.plan)
        _merge_keys(decoded.plan, cx)
    except SubstraitSqlError as error:
        found.extend(error.diagnostics)
        return found
    for i in roots:
        try:
            for part in parts_of(decoded.plan.relations[i]):
                shared = SharedQueries(decoded.plan, dialect.target)
                _root(part, i, place_of(decoded, i), cx, shared)
        except SubstraitSqlError as error:
            found.extend(d for d in error.diagnostics if d not in found)
    return [*found, *cx.notes.values()]


def _root(
    entry: Any, index: int, at: Path, cx: Context, shared: SharedQueries, mapped: bool = False
) -> LoweredRoot:
    cx.shared = shared
    cx.given.root = index
    try:
        return _lowered_root(entry, index, cx, at, mapped)
    except Rewrite as needed:
        raise needed.error from needed
    except CloseBlock as needed:
        # Every relation closes its own input; what comes up here is about one that is part of something else by now.
        raise refuse(
            "SS2013",
            "an expression needs its input as a derived table where that cannot be had yet",
            needed.block.path or at,
        ) from needed


def _lowered_root(entry: Any, index: int, cx: Context, at: Path, mapped: bool) -> LoweredRoot:
    rel, below = (
        (entry.root.input, (at / "root") / "input")
        if entry.WhichOneof("rel_type") == "root"
        else (entry.rel, at / "rel")
    )
    if rel.WhichOneof("rel_type") in KINDS:
        return _statement(rel, index, cx, below, mapped)
    if entry.WhichOneof("rel_type") == "root":
        block = _relation(rel, cx, below)
        given = list(entry.root.names)
        if cx.habits.names_behind:
            given = naming.in_front(given, [f.type for f in block.fields])
        if len(given) == len(block.fields) - 1 and _omits_set_index(rel, cx):
            block = emit(block, range(len(given)), below)
        names = _root_names(given, block, (at / "root") / "names")
        _trust_whole_table(rel, names, block)
        check_names(names, cx, (at / "root") / "names")
        check_fields(given, cx)
    elif entry.WhichOneof("rel_type") == "rel":
        block = _relation(rel, cx, below)
        given = names = []
    else:
        raise invalid("SS2010", "the relation is empty: none of its kinds is set", at)
    if not block.fields:
        raise refuse("SS2002", "Spark has no result without columns", at)
    block = exact_output(block, cx, at, inner_names(given, block))
    query, scope = assemble(block, range(len(block.fields)), names)
    query = cx.shared.attach(query, scope, mapped)
    columns = tuple(
        Column(name, _type_text(f), _sql_type(f, cx, at))
        for f, (name, _) in zip(block.fields, scope.outputs, strict=True)
    )
    return LoweredRoot(query, index, columns)


def _relation(rel: Any, cx: Context, path: Path) -> Block:
    """Lowers a root's relation. What is told of each node of the plan is told of each copy."""
    if cx.findings is None and cx.outputs is None:
        rel = share_repeated(rel, cx, path)
    return relation(rel, cx, path)


def _root_names(names: list[str], block: Block, path: Path) -> list[str]:
    """The names of the top-level columns, out of the depth-first list.

    As many names as columns are theirs alone, also if there are structs: DuckDB and Gluten leave out the names inside.
    """
    if len(names) in (0, len(block.fields)):
        return names
    found = []
    at = 0
    for f in block.fields:
        if at < len(names):
            found.append(names[at])
        at += types.field_count(f.type) if f.type is not None else 1
    if at != len(names):
        hint = "fields of structs have names, too, each behind that of its struct"
        raise invalid("SS2003", f"the root has {len(names)} names for {at} fields", path, hint)
    return found


def _omits_set_index(rel: Any, cx: Context) -> bool:
    """Whether the last column is the index of a grouping set that the root has no name for, see `Habits`."""
    if not cx.habits.omits_set_index:
        return False
    kind = rel.WhichOneof("rel_type")
    node = getattr(rel, kind)
    while kind in ("sort", "fetch", "filter") and node.common.WhichOneof("emit_kind") != "emit":
        kind = node.input.WhichOneof("rel_type")
        node = getattr(node.input, kind)
    direct = kind == "aggregate" and node.common.WhichOneof("emit_kind") != "emit"
    return direct and len(node.groupings) > 1


def _trust_whole_table(rel: Any, names: list[str], block: Block) -> None:
    """A table that is returned as it is: no ordinal has to be believed, see `Habits.needs_mask`."""
    item = block.item
    if rel.WhichOneof("rel_type") == "read" and item is not None and names == item.names:
        item.unknowable = None


def _statement(rel: Any, index: int, cx: Context, at: Path, mapped: bool) -> LoweredRoot:
    """A root that writes or defines something: the rows for it have the names that its schema gives them."""
    from substrait_sql.lower.writes.statements import actions

    found, block = actions(rel, cx, at)
    query = None
    if block is not None:
        names = [c.name for c in found[-1].columns]
        block = exact_output(block, cx, at, [[] for _ in block.fields])
        query, scope = assemble(block, range(len(block.fields)), names)
        query = cx.shared.attach(query, scope, mapped)
    return LoweredRoot(query, index, (), tuple(found))


def _type_text(field: Field) -> str:
    return types.text(field.type) if field.type is not None else "unknown"


def _sql_type(field: Field, cx: Context, path: Path) -> str:
    actual = field.sql_type if field.sql_type is not None else field.type
    # No value that Spark holds is finer than its own types, so a column declared finer can be returned.
    actual = types.to_micros(actual)
    return cx.dialect.sql_type(actual, path) if types.kind(actual) is not None else ""
