"""What a producer has left out of its plan: refused where a name or the plan's shape shows it, else a warning.

A habit of `habits` says that a producer leaves something out. Here is what shows it, and what is said where
nothing does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.schema import naming, types
from substrait_sql.wire.inside import within

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.dialect.facts import Facts
    from substrait_sql.lower.context import Context
    from substrait_sql.lower.value import Value
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path

FILTERS, WINDOWS, MEASURES = "filters", "windows", "measures"
_LOST_OVER = {"count": "distinct over", "variance": "population over", "std_dev": "population over"}
_UNION_ALL = 6
_SILENT = {
    "set": (
        "DuckDB 1.0 and 1.1 write UNION as UNION ALL, and INTERSECT ALL and EXCEPT ALL as those without ALL: "
        "the rows are those of the plan"
    ),
    "sets": (
        "DuckDB 1.0 and 1.1 write ROLLUP, CUBE and GROUPING SETS as GROUP BY of all their keys: "
        "the rows are those of the plan"
    ),
    FILTERS: (
        "DuckDB 1.0 and 1.1 leave out the FILTER of a measure, 1.0 also its DISTINCT, and only a column without alias "
        "shows it: the rows are those of the plan"
    ),
    WINDOWS: (
        "DataFusion leaves out FILTER, DISTINCT and IGNORE NULLS of a window, and only a column without alias shows "
        "it: the rows are those of the plan"
    ),
    MEASURES: (
        "DataFusion leaves out IGNORE NULLS of a measure, and only a column without alias shows it: "
        "the rows are those of the plan"
    ),
    "fields": (
        "DataFusion casts a struct by the names of its fields from release 52 on, and leaves those of the new one out: "
        "the fields keep their order, as in the plan"
    ),
    "not in": (
        "DataFusion's optimizer writes NOT IN as NOT EXISTS, which NULLs do not empty: the rows are those of the plan"
    ),
    "distinct over": (
        "Ibis writes nunique() over a window as count(): the rows are those of the plan"
    ),
    "selection": (
        "Ibis leaves out a selection right above a join, and an aggregation that does not stand right above it counts "
        "the columns of the selection: the rows are those of a query without one"
    ),
    "population over": (
        'Ibis writes how="pop" over a window as how="sample": the rows are those of the plan'
    ),
    "copies": (
        "Ibis writes intersect and difference with distinct=False as with distinct=True: "
        "the rows are those of the plan"
    ),
    "frames": (
        "Ibis writes range_window() as rows_window(), whose frame counts rows: the rows are those of the plan"
    ),
    "where": "Ibis up to 2.20 leaves out where= of a measure: the rows are those of the plan",
    "positions": (
        "Ibis counts the characters of a text from 0 in its queries, and writes the same numbers into plans, "
        "where the first one is 1: the rows are those of the plan"
    ),
}
"""By what may be lost without a trace, what is said of it. The evidence is in docs/producers/."""


def warn_lost(what: str, cx: Context, path: Path) -> None:
    """Warn of something that this producer may have left out here, and that nothing shows."""
    cx.note(
        "SS1106", _SILENT[what], path, "compare with the query, or make the plan in another way"
    )


def may_have_lost(what: str, cx: Context, path: Path) -> None:
    """Remember a node that only its column's name would tell apart from another one."""
    cx.nameless.setdefault(what, {})[str(path)] = path


def warn_of_set(op: int, cx: Context, path: Path) -> None:
    """Warn of a set operation whose copies may have counted otherwise."""
    if cx.habits.loses_copies == "set" or (cx.habits.loses_copies and op != _UNION_ALL):
        warn_lost(cx.habits.loses_copies, cx, path)


def warn_of_groups(message: Any, cx: Context, path: Path) -> None:
    """Warn of an aggregation that may have had several grouping sets, or measures of some rows only."""
    habits = cx.habits
    if habits.loses_sets and message.grouping_expressions:
        warn_lost("sets", cx, path / "groupings")
    for i, measure in enumerate(message.measures):
        if habits.loses_filters and not measure.HasField("filter"):
            may_have_lost(FILTERS, cx, (path / "measures")[i])
        elif habits.loses_where and not measure.HasField("filter"):
            warn_lost("where", cx, (path / "measures")[i])


def warn_of_window(name: str, facts: Facts, cx: Context, path: Path) -> None:
    """Warn of a window function that may have had FILTER, DISTINCT or IGNORE NULLS. name: the standard's, if any."""
    if cx.habits.loses_parts and not facts.counts_places:
        may_have_lost(WINDOWS, cx, path)
    if cx.habits.loses_distinct_over and name in _LOST_OVER:
        warn_lost(_LOST_OVER[name], cx, path)


def warn_of_measure(facts: Facts, values: Sequence[Value], cx: Context, path: Path) -> None:
    """Warn of a measure that may have had IGNORE NULLS, where that would be other rows."""
    picks = facts.picks_first or facts.picks_last or facts.picks_by_number
    sees_nulls = picks or facts.makes_a_list
    if (
        cx.habits.loses_parts
        and sees_nulls
        and any(v.type is None or types.nullable(v.type) for v in values)
    ):
        may_have_lost(MEASURES, cx, path)


def warn_of_call(facts: Facts, call: Any, cx: Context, path: Path) -> None:
    """Warn of a comparison of a column with itself, which is refused where it means another one, and of positions."""
    if facts.compares:
        if len(call.arguments) == 2 and _is_one_column(
            call.arguments[0].value, call.arguments[1].value
        ):
            if cx.habits.loses_sides:
                raise refuse(
                    "SS2168",
                    "a column is compared with itself: Ibis writes one of the query around it, or of another side, so",
                    path,
                    "write the query around as a join, and give columns of one side other names",
                )
            cx.note(
                "SS1107",
                "a column is compared with itself, which says no more than whether it is NULL",
                path,
                "if another column is meant, the producer has lost it",
                once=False,
            )
    elif facts.counts_characters and cx.habits.counts_from_zero:
        warn_lost("positions", cx, path)


def warn_of_release(line: str, declared: str, cx: Context, path: Path) -> None:
    """Warn of a function that not all releases of the plan's version mean the same by. line: what is meant here."""
    if line in cx.habits.unsure:
        cx.note(
            "SS1103",
            f"releases of the plan's version mean different things by {declared}: what those before "
            f"{line.rpartition('_')[2]} mean is taken",
            path,
            "see docs/producers/datafusion.md",
        )


def _is_one_column(left: Any, right: Any) -> bool:
    return bool(left.WhichOneof("rex_type") == "selection" and left == right)


def warn_of_anti_join(condition: Any, fields: list[Field], cx: Context, path: Path) -> None:
    """Warn of an anti join that may be NOT IN. fields: those of both sides."""
    for part in _parts(condition, cx, path):
        call = part.scalar_function
        name = cx.functions.get(call.function_reference, path).standard
        if part.WhichOneof("rex_type") == "scalar_function" and name == "equal":
            compared = [fields[o] for o in _ordinals(part) if o < len(fields)]
            if any(f.type is None or types.nullable(f.type) for f in compared):
                warn_lost("not in", cx, path)


def check_names(names: list[str], cx: Context, path: Path) -> None:
    """DuckDB and DataFusion name a column by its expression, and so by what they leave out of the plan, see `Habits`.

    A node that may have lost something and has no such name is worth a warning.
    """
    lost = [" FILTER (WHERE "] if cx.habits.loses_filters else []
    lost += ["(DISTINCT "] if cx.habits.loses_distinct else []
    for i, name in enumerate(names):
        if any(word in name for word in lost):
            raise refuse(
                "SS2004",
                f"the plan has not what the name {name!r} says: DuckDB leaves out FILTER, up to 1.0 also DISTINCT",
                path[i],
                "aggregate over a subquery that has the condition, or over SELECT DISTINCT",
            )
        if MEASURES in cx.nameless and ") IGNORE NULLS" in name and " BETWEEN " not in name:
            raise refuse(
                "SS2170",
                f"the name {name!r} says IGNORE NULLS, which DataFusion does not write into its plans",
                path[i],
                "leave the NULLs out by FILTER (WHERE … IS NOT NULL)",
            )
    shown = {
        FILTERS: sum(name.endswith(")") for name in names),
        WINDOWS: sum(" BETWEEN " in name for name in names),
        MEASURES: sum("_value(" in name or "array_agg(" in name for name in names),
    }
    for what, nodes in cx.nameless.items():
        if len(nodes) > shown[what]:
            warn_lost(what, cx, next(iter(nodes.values())))


def warn_of_cast(source: Any, target: Any, cx: Context, path: Path) -> None:
    """Refuse the cast of a struct that can do nothing but put fields in another order; remember others.

    source: the type with the names of fields that are known.
    """
    if not cx.habits.casts_by_name or not types.inner_names(target):
        return
    if naming.bare(source) == types.with_nullability(target, types.nullable(source)):
        raise refuse(
            "SS2207",
            f"a struct is cast to its own type, so to other names or another order of its fields: {_BY_NAME}",
            path,
            _FIELD_BY_FIELD,
        )
    for names in naming.of_structs(source):
        if len(names) > 1 or (names and cx.habits.casts_by_name == _OR_NULL):
            cx.recast.setdefault(tuple(names), path)


# Of the habit: a field without its name in the old type is NULL; of the other producer it is the one in its place.
_OR_NULL = "or NULL"
_BY_NAME = "the producer casts by names that the plan has not"
_FIELD_BY_FIELD = "make the struct of its fields in the query, without a cast of the whole"


def check_fields(given: list[str], cx: Context) -> None:
    """Refuse casts of structs whose fields have other names, or another order, in the result. given: its names."""
    places: dict[str, list[int]] = {}
    for i, name in enumerate(given):
        places.setdefault(name, []).append(i)
    for names, path in cx.recast.items():
        found = [w for i in places.get(names[0], ()) for w in _around_place(i, names, given)]
        moved = any(w != list(names) for w in found)
        if moved or (cx.habits.casts_by_name == _OR_NULL and not found):
            raise refuse(
                "SS2207",
                f"the result does not have the fields {', '.join(names)} in this order: {_BY_NAME}",
                path,
                _FIELD_BY_FIELD,
            )
        if cx.habits.casts_by_name != _OR_NULL:
            warn_lost("fields", cx, path)


def _around_place(place: int, names: tuple[str, ...], given: list[str]) -> Iterator[list[str]]:
    """The runs of the names, in any order, that have the first one at a place of the root's names."""
    width, known = len(names), set(names)
    for i in range(max(place - width + 1, 0), place + 1):
        if given[i] in known and i + width <= len(given) and given[i + width - 1] in known:
            run = given[i : i + width]
            if sorted(run) == sorted(names):
                yield run


def check_sides(join: Any, width: int, cx: Context, path: Path) -> None:
    """Refuse a join of a relation with itself whose condition may have lost a side.

    Ibis looks a column up by its relation, and where both sides are the same one finds the left side's: the condition
    of `t.join(v, t.a == v.b)` over a view `v` of `t` compares two columns of `t`. width: the left side's columns.
    """
    if not _meets_itself(join):
        return
    for part in _parts(join.expression, cx, path):
        if len({ordinal < width for ordinal in _ordinals(part)}) == 1:
            raise refuse(
                "SS2205",
                "a relation is joined with itself, and a part of the condition is about one side only: "
                "Ibis writes columns of the other side so, too",
                path,
                "give the columns of one side other names below the join",
            )


def _meets_itself(join: Any) -> bool:
    """Whether a relation of one side, or one that is joined there, is on the other side as well."""
    left, right = (
        {rel.SerializeToString(deterministic=True) for rel in _joined(side)}
        for side in (join.left, join.right)
    )
    return bool(left & right)


def _joined(rel: Any) -> Iterator[Any]:
    yield rel
    while rel.WhichOneof("rel_type") == "join":
        yield rel.join.right
        rel = rel.join.left
        yield rel


def _parts(condition: Any, cx: Context, path: Path) -> Iterator[Any]:
    """The parts of a condition that are no AND."""
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        call = part.scalar_function
        if (
            part.WhichOneof("rex_type") == "scalar_function"
            and cx.functions.get(call.function_reference, path).standard == "and"
        ):
            waiting += [argument.value for argument in call.arguments]
        else:
            yield part


def _ordinals(expression: Any) -> Iterator[int]:
    """The columns that an expression refers to."""
    for message in within(expression, closed=("FieldReference",)):
        if message.DESCRIPTOR.name == "FieldReference":
            yield message.direct_reference.struct_field.field
