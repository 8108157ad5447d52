"""https://substrait.io/expressions/subqueries/: queries inside expressions, as Spark takes them one boundary deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.assemble.query import assemble, needs_aliases, selected
from substrait_sql.dialect import apart
from substrait_sql.dialect.facts import Facts
from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import fold, operand
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.common_type import bring_to_rows, held
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions.literal import literal
from substrait_sql.lower.retry import compute_first
from substrait_sql.lower.three_valued import Reader, Rows, all_true, any_true, readable, unique
from substrait_sql.lower.unnest.attempts import in_subquery
from substrait_sql.lower.value import Value
from substrait_sql.lower.widening import without_widening
from substrait_sql.plan.scopes import has_root
from substrait_sql.schema import types
from substrait_sql.select.asked import Asked
from substrait_sql.select.block import BESIDE_SELECT
from substrait_sql.select.field import Field, Parts, Traits, absorb
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.signals import CloseBlock, NeedsLateral
from substrait_sql.spark.limits import settle_limits
from substrait_sql.spark.older import looked_up, one_row
from substrait_sql.spark.subqueries import require_native
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.lower.context import Env
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path

    # What is looked for in the rows, and where it stands in the plan.
    Placed = Sequence[tuple[Any, Path]]

_EXISTS, _UNIQUE = 1, 2
_REDUCTIONS = {1: any_true, 2: all_true}
_COMPARISONS: dict[int, type[exp.Expression]] = {
    1: exp.EQ,
    2: exp.NEQ,
    3: exp.LT,
    4: exp.GT,
    5: exp.LTE,
    6: exp.GTE,
}


@lowers("subquery")
def subquery(message: Any, env: Env, path: Path) -> Value:
    """The subquery of its kind."""
    if not env.queries_apart and not env.lambdas:
        return _of_kind(message, env, path)
    if env.lambdas and (env.paired or _uses_parameters(message)):
        raise refuse(
            "SS2150",
            "Spark takes no subquery inside a lambda, and this one cannot be a column that the lambda sees",
            path,
        )
    # The member of the expression is here; the expression itself is what the retry looks for.
    assert path.parent is not None
    with env.apart() as own, env.asking(env.asked, plain=False):
        value = _of_kind(message, env, path)
    return compute_first(value, own, env, path.parent)


def _uses_parameters(message: Any) -> bool:
    """Whether a needle depends on a parameter of the lambda around; the rows of a subquery cannot."""
    needles = [*message.in_predicate.needles, message.set_comparison.left]
    return any(has_root(n, "lambda_parameter_reference") for n in needles)


def _of_kind(message: Any, env: Env, path: Path) -> Value:
    kind = message.WhichOneof("subquery_type")
    if kind is None:
        raise invalid("SS2160", "the subquery is empty", path)
    if kind not in _KINDS:
        raise refuse("SS2161", f"{kind} subqueries have no SQL yet", path)
    inner, (lower, rows) = getattr(message, kind), _KINDS[kind]
    at = path / kind
    return in_subquery(
        getattr(inner, rows),
        env,
        at / rows,
        lambda rel, below: lower(inner, rel, env, at, below),
    )


def _scalar(message: Any, rel: Any, env: Env, path: Path, below: Path) -> Value:
    """``(SELECT …)``: no row is NULL, a second row an error, in Spark as in the specification."""
    block = _inner(rel, env, below)
    if env.block.limited and not _one_row(block):
        # Spark looks the value up before it cuts rows off, and may fail on one that is cut off.
        raise CloseBlock(env.block)
    if len(block.fields) != 1:
        raise invalid(
            "SS2162", f"a scalar subquery returns one column, this one {len(block.fields)}", path
        )
    # One row has no order.
    block.order = [] if not block.limited else block.order
    field = block.fields[0]
    block, listed = one_row(block, env.context.dialect.target.lacks)
    query = _query(block, [0], env, path, scalar=True)
    type = types.with_nullability(field.type, True) if field.type is not None else None
    found = Value(looked_up(query, listed=listed), type, field.sql_type, field.name)
    found.most = field.most
    return found


def _one_row(block: Block) -> bool:
    """Whether the query returns one row at most, whatever the data."""
    limit = block.limit
    few = isinstance(limit, exp.Literal) and limit.name in ("0", "1")
    return few or block.group == [] or (block.item is None and block.body is None)


def _exists(message: Any, rel: Any, env: Env, path: Path, below: Path) -> Value:
    """``EXISTS(SELECT 1 …)``, and UNIQUE, for which SQL has a word and Spark has none."""
    if message.predicate_op not in (_EXISTS, _UNIQUE):
        raise invalid(
            "SS2163",
            f"set predicate {message.predicate_op} does not exist",
            path / "predicate_op",
        )
    block = _inner(rel, env, below)
    if env.context.habits.loses_outer and not refers_outside(block):
        raise refuse(
            "SS2168",
            "EXISTS does not refer to the query around it: Ibis writes its columns as those of the query inside",
            path,
            "write it as a semi join or an anti join",
        )
    if message.predicate_op == _UNIQUE:
        return Value(unique(block, _reader(env, path)), types.boolean())
    block.order = [] if not block.limited else block.order
    query = _query(block, [], env, path)
    return Value(exp.Exists(this=query), types.boolean())


def _in(message: Any, rel: Any, env: Env, path: Path, below: Path) -> Value:
    """``needle IN (SELECT …)`` where Spark's own means what it should: elsewhere it says FALSE for the NULL of SQL."""
    placed = [(n, (path / "needles")[i]) for i, n in enumerate(message.needles)]
    if not _native(message, env, path):
        return _compared(placed, rel, exp.EQ, any_true, env, path, below)
    with env.apart() as own, env.asking(Asked.VALUE):
        needles = [expression(n, env, at) for n, at in placed]
    block = _inner(rel, env, below)
    if len(needles) != len(block.fields):
        raise invalid(
            "SS2165", f"{len(needles)} needles for a haystack of {len(block.fields)} columns", path
        )
    for i, needle in enumerate(needles):
        block.fields[i] = _as_wide(needle, block.fields[i], block)
    block, together = bring_to_rows(needles, block, env.context, path)
    if not together:
        return _over_rows(placed, readable(block), exp.EQ, any_true, env, path)
    absorb(env.parts, own)
    query = _query(block, range(len(block.fields)), env, path)
    left = (
        operand(needles[0].sql, exp.In)
        if len(needles) == 1
        else exp.Tuple(expressions=[n.sql for n in needles])
    )
    operands = [v.type for v in needles] + [f.type for f in block.fields]
    nullable = any(t is None or types.nullable(t) for t in operands)
    node = exp.In(this=left, query=exp.Subquery(this=_as_query(query)))
    return Value(node, types.boolean(nullable=nullable))


def _as_query(query: exp.Query) -> exp.Query:
    """The query of an IN: Spark reads ``IN (SELECT 'a')`` and ``IN (SELECT -1)`` as lists, where no name says else."""
    if type(query) is not exp.Select or query.args.get(releases.FROM) is not None:
        return query
    first, *others = query.expressions
    if type(first) is not exp.Alias:
        named = exp.Alias(this=first, alias=identifier("value"))
        query.set("expressions", [named, *others])
    return query


def _as_wide(needle: Value, field: Field, block: Block) -> Field:
    """A column of the rows that a needle is looked for in, both without casts that Spark puts in by itself."""
    column = Value(needle.sql, field.type, field.sql_type)
    if field.sql is not None and field.narrow is not None and block.says_only(BESIDE_SELECT):
        column = Value.of_field(field, field.sql)
    if not without_widening([needle, column], Facts(compares=True)) or column.narrow is None:
        return field
    made = field.with_type(field.type)
    made.sql, made.sql_type, made.narrow = column.sql, column.sql_type, None
    return made


def _native(message: Any, env: Env, path: Path) -> bool:
    """Whether Spark's IN gives what is asked for.

    As the whole of a condition it does, and a NOT before it as well. Below OR it does in a query that refers to nothing
    around it; elsewhere Spark makes a join condition of it, in which its NULL is FALSE even below a NOT.
    """
    if env.outer is not None and any(has_root(n, "outer_reference") for n in message.needles):
        return False
    return str(path) in env.whole or (env.plain and env.asked is Asked.TRUE)


def _comparison(message: Any, rel: Any, env: Env, path: Path, below: Path) -> Value:
    """``x < ANY (SELECT …)``, ``x >= ALL (SELECT …)``: Spark has no such syntax."""
    reduction = _REDUCTIONS.get(message.reduction_op)
    if reduction is None:
        raise invalid("SS2166", "neither ANY nor ALL", path / "reduction_op")
    operator = _COMPARISONS.get(message.comparison_op)
    if operator is None:
        raise invalid("SS2167", "the comparison is not specified", path / "comparison_op")
    placed = [(message.left, path / "left")]
    return _compared(placed, rel, operator, reduction, env, path, below)


# The member of the subquery -> how it is lowered, and the field with its relation.
_KINDS: dict[str, tuple[Callable[[Any, Any, Env, Path, Path], Value], str]] = {
    "scalar": (_scalar, "input"),
    "set_predicate": (_exists, "tuples"),
    "in_predicate": (_in, "haystack"),
    "set_comparison": (_comparison, "right"),
}


def _compared(
    needles: Placed,
    haystack: Any,
    operator: type[exp.Expression],
    reduce: Callable[[Rows, Reader, Asked], exp.Expression],
    env: Env,
    path: Path,
    below: Path,
) -> Value:
    """A comparison with every row of a query, and what all of them together say."""
    block = readable(_inner(haystack, env, below))
    return _over_rows(needles, block, operator, reduce, env, path)


def _over_rows(
    needles: Placed,
    block: Block,
    operator: type[exp.Expression],
    reduce: Callable[[Rows, Reader, Asked], exp.Expression],
    env: Env,
    path: Path,
) -> Value:
    if len(needles) != len(block.fields):
        raise invalid(
            "SS2165", f"{len(needles)} needles for a haystack of {len(block.fields)} columns", path
        )
    block, condition = _pairwise(needles, block, operator, env, path)
    nullable = condition.type is None or types.nullable(condition.type)
    rows = Rows(block, [condition], [*env.fields, *block.fields])
    sql = reduce(rows, _reader(env, path), env.asked)
    return Value(sql, types.boolean(nullable=nullable))


def _pairwise(
    needles: Placed, block: Block, operator: type[exp.Expression], env: Env, path: Path
) -> tuple[Block, Field]:
    """The rows, and the needles compared with one of them.

    They stand inside the subquery, where their columns are outer ones.
    """
    parts = Parts()
    with env.asking(Asked.VALUE, plain=False):
        values = [_needle(n, parts, env, at) for n, at in needles]
    block, _ = bring_to_rows(values, block, env.context, path)
    pairs = [
        apart.compared(operator, v.sql, _cell(f, parts, env, path), [held(v), held(f)])
        for v, f in zip(values, block.fields, strict=True)
    ]
    operands = [v.type for v in values] + [f.type for f in block.fields]
    nullable = any(t is None or types.nullable(t) for t in operands)
    condition = Field(types.boolean(nullable=nullable), sql=fold(exp.And, pairs), parts=parts)
    return block, condition


def _cell(field: Field, parts: Parts, env: Env, path: Path) -> exp.Expression:
    """A column of the rows; of a row of constants the constant, as it is written beside a value."""
    if field.literal is not None:
        value = literal(field.literal, env, path)
        if types.same(value.type, field.type):
            return value.sql
    return field.copy(parts)


def _needle(message: Any, parts: Parts, env: Env, path: Path) -> Value:
    """One needle, which may use plain columns of the record; what is more than that becomes a column first."""
    with env.apart() as own:
        value = expression(message, env, path)
    if env.block.group is not None and (own.traits or own.columns):
        raise CloseBlock(env.block)
    if own.traits:
        if env.paired:
            raise NeedsLateral(refuse("SS2164", "a subquery as the needle of another one", path))
        compute_first(value, own, env, path)
    absorb(parts, own)
    return value


def _reader(env: Env, path: Path) -> Reader:
    return Reader(env.parts, env.block.items, path, env.context.dialect.target.lacks)


def _inner(relation: Any, env: Env, path: Path) -> Block:
    from substrait_sql.lower.relation import relation as lower_relation

    return lower_relation(relation, env.context, path, outer=env)


def _query(block: Block, needed: Any, env: Env, path: Path, *, scalar: bool = False) -> exp.Query:
    block = settle_limits(block, needed)
    lacking = env.context.dialect.target.lacks
    require_native(block, path, needed, scalar=scalar, lacking=lacking)
    query, scope = assemble(block, selected(block, set(needed)), aliases=needs_aliases(block))
    env.parts.scopes.append(scope)
    env.parts.traits |= Traits.SUBQUERY
    return query
