"""The naming pass: aliases for FROM items, then the text of every column.

Names come from the plan (tables, hints, what a query does), so a change in one branch leaves the others' text alone.
Spark binds a name to the nearest scope that has it, whatever its case; so an alias never repeats one that an
enclosing query uses, and a column is qualified wherever its bare name could mean something else.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.assemble.roles import roles_of
from substrait_sql.dialect.identifiers import WORDS, identifier
from substrait_sql.rendered import JOINS, UNPREFIXED
from substrait_sql.select.output_names import unique

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set

    from substrait_sql.select.item import ColumnNode, Item, SelectScope

    Doubt = Callable[[ColumnNode], bool]

# What columns are called that nobody lists: of `(SELECT 1)`, of what `explode` makes, of files.
_UNLISTED = frozenset({"1", "col", "_metadata"})
# No parameter of a lambda has a longer name.
_LONGEST_PARAMETER = 3


def name(root: SelectScope, qualify: str = JOINS) -> None:
    """Settles every name below `root`. qualify: one of `rendered.QUALIFY`."""
    stack: list[tuple[SelectScope, frozenset[str], bool]] = [(root, frozenset(), False)]
    parameters: Mapping[Item, Set[str]] | None = None
    while stack:
        current, outer, within = stack.pop()
        used = set(outer) | _captured(current)
        roles = roles_of(current)
        for item in current.items:
            wanted = roles.get(item, item.base)
            if len(wanted) <= _LONGEST_PARAMETER:
                if parameters is None:
                    parameters = _parameters(root)
                used |= parameters.get(item, frozenset())
            _set_alias(item, unique(wanted, used))
        _write_columns(current, _doubt(current, within, qualify))
        own = outer | {item.alias.casefold() for item in current.items}
        stack.extend((child, outer, within) for child in current.derived)
        for child in current.nested:
            # A query that uses nothing of ours may use our aliases again.
            stack.append((child, own if child.is_correlated() else outer, True))


def _parameters(root: SelectScope) -> dict[Item, set[str]]:
    """By item, the parameters in whose lambdas a column of it stands: an alias of that name would be read as those."""
    names: dict[Item, set[str]] = {}
    for scope in root.walk():
        lambdas = _Lambdas()
        waiting = [*scope.columns, *scope.late]
        while waiting:
            reference = waiting.pop()
            waiting += reference.twins
            around = lambdas.around(reference.node)
            while around is not None:
                given = names.setdefault(reference.item, set())
                given.update(p.name.casefold() for p in around.expressions)
                around = lambdas.around(around)
    return names


def _captured(scope: SelectScope) -> set[str]:
    """Column names of the queries nested in this one: an alias of the same name would be read as that column."""
    names: set[str] = set()
    for child in scope.nested:
        for inner in child.walk():
            for item in inner.items:
                names.update(n.casefold() for n in item.names)
    return names


def _doubt(scope: SelectScope, inside: bool, qualify: str) -> Doubt:
    """Says of a column of this FROM whether its bare name could mean something else.

    inside: the SELECT stands in a subquery, and sees the columns of queries around it: those that a table has not,
    though the plan says so, would be theirs.
    """
    # One row to join to has no column that anybody could mean.
    items = [i for i in scope.items if any(i.names) or not i.columns_are_exact]
    only = len(items) == 1 and (len(scope.items) == 1 or _UNLISTED.isdisjoint(items[0].names))
    folded = None if only or qualify == JOINS else [list(map(str.casefold, i.names)) for i in items]
    if folded is None or (qualify == UNPREFIXED and not _say_their_table(items, folded)):
        qualified = not only or (inside and not items[0].columns_are_exact)
        return lambda _: qualified
    holders = Counter(chain.from_iterable(folded))
    aliases = {i.alias.casefold() for i in scope.items}

    def doubtful(reference: ColumnNode) -> bool:
        item = reference.item
        column = item.names[reference.ordinal].casefold()
        shared = holders[column] > 1 or column in aliases or column in _UNLISTED
        return shared or (inside and not item.columns_are_exact)

    return doubtful


def _say_their_table(items: Sequence[Item], folded: Sequence[Sequence[str]]) -> bool:
    """Whether all columns of a table begin alike, and those of no other so: ``l_orderkey``, ``o_orderkey``.

    A column that is added to such a table will begin so, too. folded: the names of each without regard to case.
    """
    seen: dict[str, list[str]] = {}
    for item, names in zip(items, folded, strict=True):
        if item.columns_are_exact:
            continue
        if len(names) < 2:
            return False
        begin, mark, _ = names[0].partition("_")
        # What the first and the last one begin with in the order of letters, all between them do.
        if (
            not mark
            or not min(names).startswith(begin + mark)
            or not max(names).startswith(begin + mark)
        ):
            return False
        if seen.setdefault(begin, item.names) != item.names:
            return False
    return bool(seen)


def _set_alias(item: Item, alias: str) -> None:
    item.alias = alias
    for node in (item.node, *item.copies):
        if isinstance(node, (exp.Table, exp.Lateral)):
            given = node.args.get("alias")
            columns = given.columns if given is not None else []
            if columns or node.this.this != alias:
                node.set("alias", exp.TableAlias(this=identifier(alias), columns=columns))
        elif isinstance(node, exp.Values):
            columns = [identifier(n) for n in item.names]
            node.set("alias", exp.TableAlias(this=identifier(alias), columns=columns))
        elif isinstance(node, exp.Anonymous):
            # A hint, which names the item.
            node.set("expressions", [identifier(alias)])
        elif node is not None:
            node.set("alias", exp.TableAlias(this=identifier(alias)))


def _write_columns(scope: SelectScope, doubtful: Doubt) -> None:
    own = set(scope.items)
    lambdas = _Lambdas()
    for reference in scope.columns:
        _write(reference, reference.item not in own or doubtful(reference), lambdas)
    outputs = {name.casefold(): source for name, source in scope.outputs}
    for reference in scope.late:
        foreign = reference.item not in own
        qualified = foreign or doubtful(reference) or _clashes(reference, outputs)
        _write(reference, qualified, lambdas)


def _clashes(reference: ColumnNode, outputs: dict[str, ColumnNode | None]) -> bool:
    """Whether an output column of the same name, or a function, would be taken for this one in ORDER BY or HAVING."""
    column = reference.item.names[reference.ordinal].casefold()
    if column not in outputs:
        return column in WORDS
    source = outputs[column]
    return (
        source is None or source.item is not reference.item or source.ordinal != reference.ordinal
    )


class _Lambdas:
    """The lambda that a node stands in. Each node is asked once: a condition of 10,000 terms nests as deep."""

    def __init__(self) -> None:
        # With the nodes, so that none of them is freed and its id given to another one.
        self.known: dict[int, tuple[exp.Expr, exp.Lambda | None]] = {}

    def around(self, node: exp.Expr) -> exp.Lambda | None:
        """The innermost lambda above the node within its SELECT."""
        passed = []
        above = node.parent
        found: exp.Lambda | None = None
        while above is not None and not isinstance(above, exp.Select):
            if isinstance(above, exp.Lambda):
                found = above
                break
            if id(above) in self.known:
                found = self.known[id(above)][1]
                break
            passed.append(above)
            above = above.parent
        for each in passed:
            self.known[id(each)] = (each, found)
        return found

    def have(self, column: str, node: exp.Expr) -> bool:
        """Whether the bare name would be read as a parameter of a lambda that the column stands in."""
        around = self.around(node)
        while around is not None:
            if any(name.name.casefold() == column.casefold() for name in around.expressions):
                return True
            around = self.around(around)
        return False


def _write(reference: ColumnNode, qualified: bool, lambdas: _Lambdas) -> None:
    item = reference.item
    node = reference.node
    # Straight into the arguments: `set` would look for a parent and a place in it, for every column.
    column = item.names[reference.ordinal]
    node.args["this"] = identifier(column)
    # `a.b` is field b of column a, unless there is a table a.
    dotted = type(node.parent) is exp.Dot and item.alias.casefold() == column.casefold()
    if qualified or dotted or (len(column) <= _LONGEST_PARAMETER and lambdas.have(column, node)):
        node.args["table"] = identifier(item.alias)
    alias = node.parent
    if type(alias) is exp.Alias and alias.alias == column and alias.parent is not None:
        # A column of a query around, passed on under its own name.
        alias.replace(node)
    for twin in reference.twins:
        _write(twin, qualified, lambdas)
