"""https://substrait.io/relations/user_defined_relations/: relations and tables that somebody registered.

Each input becomes a common table expression of the extension's own query, under a name that the extension is told::

    FROM (WITH input AS (SELECT …) SELECT * FROM input TABLESAMPLE (10 PERCENT)) AS input_extension
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from substrait_sql import extensions
from substrait_sql.assemble.query import assemble
from substrait_sql.dialect.identifiers import identifier
from substrait_sql.errors import refuse
from substrait_sql.lower.declared_types import exact
from substrait_sql.lower.relation import lowers, relation
from substrait_sql.lower.relations.generator import generated
from substrait_sql.lower.relations.recursion import last_round, recursion
from substrait_sql.plan import generators
from substrait_sql.plan import recursion as recursions
from substrait_sql.schema import naming, type_text, types
from substrait_sql.select.block import Block
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.item import Item
from substrait_sql.select.output_names import output_names, unique

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.errors import UnsupportedError
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.item import SelectScope
    from substrait_sql.wire.path import Path


@lowers("extension_leaf")
def extension_leaf(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A relation of its own making."""
    return _extension(message, [], cx, path)


@lowers("extension_single")
def extension_single(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A relation over one other, see `plan.generators` for those that are known here."""
    made = generators.read(message.detail)
    if made is not None:
        return generated(message, made, cx, path, outer)
    return _extension(message, [relation(message.input, cx, path / "input", outer)], cx, path)


@lowers("extension_multi")
def extension_multi(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A relation over any number of others, see `plan.recursion` for the one that is known here."""
    made = recursions.read(message.detail)
    if made is not None:
        return recursion(message, made, cx, path, outer)
    inputs = [
        relation(rel, cx, (path / "inputs")[i], outer) for i, rel in enumerate(message.inputs)
    ]
    return _extension(message, inputs, cx, path)


def _extension(message: Any, blocks: list[Block], cx: Context, path: Path) -> Block:
    url = message.detail.type_url
    lowering = extensions.find_relation(url)
    if lowering is None:
        raise _unregistered("relation", url, path)
    inputs = _Inputs(blocks, cx, path)
    made = lowering(message.detail.value, inputs.described)
    if made.columns is None:
        raise _broken(url, "it does not say which columns it returns", path)
    columns = [(c.name, _type(c.type)) for c in made.columns]
    base = next((b.derived_name("extension") for b in blocks), "extension")
    return _block(base, made.query, columns, url, path, inputs)


def extension_table(
    message: Any, columns: Sequence[tuple[str, Any]], cx: Context, path: Path
) -> Block:
    """A table that a registered function turns into a query, or the rows of a round. columns: the base schema."""
    steps = recursions.steps_of(message.detail)
    if steps is not None:
        return last_round(columns, steps, cx, path)
    url = message.detail.type_url
    lowering = extensions.find_table(url)
    if lowering is None:
        raise _unregistered("table", url, path)
    described = [extensions.Column(n, types.text(t)) for n, t in columns]
    made = lowering(message.detail.value, described)
    if made.columns is not None:
        found = [_type(c.type) for c in made.columns]
        wanted = [t for _, t in columns]
        if len(found) != len(wanted) or not all(map(types.same, found, wanted)):
            raise _broken(url, "its columns are not those of the base schema", path)
        columns = [(c.name, t) for c, t in zip(made.columns, wanted, strict=True)]
    return _block("extension", made.query, columns, url, path, None)


def _unregistered(what: str, url: str, path: Path) -> UnsupportedError:
    return refuse(
        "SS2081",
        f"nobody has registered what an extension {what} of type {url or '(none)'} is",
        path / "detail",
        f"substrait_sql.extensions.register_{what}({url!r}, …)",
    )


def _broken(url: str, why: str, path: Path) -> UnsupportedError:
    return refuse("SS2082", f"the extension registered for {url} is at fault: {why}", path)


def _type(described: Any) -> Any:
    if isinstance(described, str):
        return type_text.parse(described)
    out = types.unknown()
    out.MergeFromString(described.SerializeToString())
    return out


class _Inputs:
    """The inputs as common table expressions."""

    def __init__(self, blocks: list[Block], cx: Context, path: Path) -> None:
        self.ctes: list[exp.Expression] = []
        self.scopes: list[SelectScope] = []
        self.described: list[extensions.Input] = []
        queries = []
        for each in blocks:
            block = _declared(each, cx, path)
            if not block.limited:
                block.order = []
            names = output_names(block.fields, [""] * len(block.fields))
            query, scope = assemble(block, range(len(block.fields)), names)
            self.scopes.append(scope)
            queries.append((query, names, block.fields))
        # A table of the same name would be read as the input before it.
        items = [item for scope in self.scopes for s in scope.walk() for item in s.items]
        taken = {item.base.casefold() for item in items}
        taken |= {i.node.this.name.casefold() for i in items if isinstance(i.node, exp.Table)}
        for i, (query, names, fields) in enumerate(queries):
            name = unique("input" if len(queries) == 1 else f"input_{i + 1}", taken)
            alias = exp.TableAlias(this=identifier(name))
            self.ctes.append(exp.CTE(this=query, alias=alias))
            columns = (
                extensions.Column(n, types.text(f.type)) for n, f in zip(names, fields, strict=True)
            )
            self.described.append(extensions.Input(name, tuple(columns)))


def _declared(block: Block, cx: Context, path: Path) -> Block:
    """The block with every column of exactly its declared type, which is what the extension is told."""

    def differs(f: Field) -> bool:
        return f.sql_type is not None and f.type is not None and not types.same(f.sql_type, f.type)

    if any(map(differs, block.fields)) and (block.distinct or block.body is not None):
        block = block.close()
    for i, f in enumerate(block.fields):
        if differs(f):
            parts = Parts()
            sql = exact(f.emit(parts), f.sql_type, f.type, cx, path)
            block.fields[i] = Field(f.type, f.name, sql=sql, parts=parts)
    return block


def _block(
    base: str,
    query: str,
    columns: Sequence[tuple[str, Any]],
    url: str,
    path: Path,
    inputs: _Inputs | None,
) -> Block:
    names = [n for n, _ in columns]
    if not naming.distinct(names) or not all(names):
        raise _broken(url, "two of its columns have one name, or one has none", path)
    if not names:
        raise _broken(url, "it returns no columns", path)
    query = _one_query(query, lambda why: _broken(url, why, path))
    body: exp.Expression = exp.Var(this=query)
    if inputs is not None and inputs.ctes:
        with_ = exp.With(expressions=inputs.ctes)
        body = exp.Introducer(this=with_, expression=body)
    item = Item(unique(base, set()), names, node=exp.Subquery(this=body))
    if inputs is not None:
        item.scopes = inputs.scopes
    fields = [Field(t, n, item=item, ordinal=i) for i, (n, t) in enumerate(columns)]
    return Block(item, fields, base=base)


def _one_query(query: str, broken: Callable[[str], UnsupportedError]) -> str:
    """The text as it is, if it can stand in parentheses: nothing in it may end them or the statement."""
    from sqlglot.dialects.spark import Spark

    try:
        tokens = Spark().tokenize(query)
    except SqlglotError as error:
        raise broken("its text is not SQL") from error
    depth = 0
    for token in tokens:
        kind = token.token_type.name
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        if kind == "SEMICOLON" or depth < 0:
            raise broken("its text is not one query")
        if kind == "STRING" and "\n" in token.text:
            raise broken("a line of its text ends inside quotes; write \\n")
    if depth or not tokens:
        raise broken("its text is not one query")
    if any(token.comments for token in tokens):
        raise broken("its text has comments")
    return query.strip()
