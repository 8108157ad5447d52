"""Reads `.test` files, with the grammar of the `substrait-antlr` package.

https://substrait.io/extensions/ describes the format: a header with the extension files that names are looked up
in, then cases in named groups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antlr4 import CommonTokenStream, InputStream
from antlr4.error.ErrorListener import ErrorListener
from substrait_antlr.func_test_case.FuncTestCaseLexer import FuncTestCaseLexer
from substrait_antlr.func_test_case.FuncTestCaseParser import FuncTestCaseParser as P

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Literal:
    """A typed value as it is written: text, or a list, tuple (struct) or dict of texts."""

    raw: Any
    type: str


@dataclass(frozen=True)
class Enum:
    """A word among the arguments."""

    value: str


@dataclass(frozen=True)
class Parameter:
    """A parameter of a lambda, by name."""

    name: str


@dataclass(frozen=True)
class Column:
    """A column of the case's table."""

    index: int


@dataclass(frozen=True)
class Function:
    """A call."""

    name: str
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Lambda:
    """``(x -> f(x))::func<i32 -> i32>``."""

    parameters: tuple[str, ...]
    body: Function
    type: str


@dataclass(frozen=True)
class Table:
    """The rows an aggregate or window function is over."""

    types: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Case:
    """One case. expected: a literal, a tuple of literals (one per row), or the words ERROR and UNDEFINED."""

    file: str
    line: int
    text: str
    kind: str
    urns: tuple[str, ...]
    call: Function
    options: tuple[tuple[str, str], ...]
    expected: Any
    table: Table | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.text}"


def official() -> dict[str, Path]:
    """The files of the official cases by the name they are called by, such as ``arithmetic/add.test``."""
    folder = Path(str(resources.files("substrait_extensions.testcases")))
    return {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*.test"))}


def cases(name: str, path: Path) -> tuple[Case, ...]:
    """The cases of a file. Raises SyntaxError where the grammar does not know what is written."""
    return tuple(_Reader(name, path).cases())


class _Strict(ErrorListener):  # type: ignore[misc]
    def __init__(self, name: str) -> None:
        self.name = name

    def syntaxError(
        self, recognizer: Any, symbol: Any, line: int, column: int, msg: str, e: Any
    ) -> None:
        raise SyntaxError(f"{self.name}:{line}:{column}: {msg}")


class _Reader:
    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.stream = InputStream(path.read_text(encoding="utf-8"))
        lexer = FuncTestCaseLexer(self.stream)
        parser = P(CommonTokenStream(lexer))
        for part in (lexer, parser):
            part.removeErrorListeners()
            part.addErrorListener(_Strict(name))
        self.doc = parser.doc()
        header = self.doc.header()
        lines = [header.include(), *header.dependency()]
        # The grammar reads a column of user-defined values as the arguments of a scalar call.
        self.aggregate = "AGGREGATE" in _text(header.version())
        self.urns = tuple(re.search(r"extension:\S+", _text(x))[0] for x in lines)  # type: ignore[index]

    def cases(self) -> Iterator[Case]:
        for group in self.doc.testGroup():
            for ctx in group.getChildren():
                match ctx:
                    case P.TestCaseContext():
                        call = Function(_text(ctx.identifier()), _arguments(ctx.arguments()))
                        expected = _result(ctx.result())
                        if self.aggregate:
                            call, table = _over_literal(call)
                            yield self._case("aggregate", ctx, call, expected, table)
                        else:
                            yield self._case("scalar", ctx, call, expected)
                    case P.AggFuncTestCaseContext():
                        call, table = _aggregate(ctx.aggFuncCall())
                        yield self._case("aggregate", ctx, call, _result(ctx.result()), table)
                    case P.WindowFuncTestCaseContext():
                        call, table = _window(ctx.windowFuncCall())
                        expected = _column_result(ctx.windowResult())
                        yield self._case("window", ctx, call, expected, table)

    def _case(
        self, kind: str, ctx: Any, call: Function, expected: Any, table: Table | None = None
    ) -> Case:
        text = " ".join(self.stream.getText(ctx.start.start, ctx.stop.stop).split("\n"))
        options = ctx.funcOptions()
        chosen = tuple(
            (_text(o.optionName()), _text(o.optionValue())) for o in options.funcOption()
        ) if options else ()  # fmt: skip
        line = ctx.start.line
        return Case(self.name, line, text, kind, self.urns, call, chosen, expected, table)


def _text(ctx: Any) -> str:
    found: str = ctx.getText()
    return found


def _only(ctx: Any) -> Any:
    """The one child of a context that only wraps another."""
    return ctx.getChild(0)


def _arguments(ctx: Any) -> tuple[Any, ...]:
    return tuple(_argument(a) for a in ctx.argument()) if ctx else ()


def _argument(ctx: Any) -> Any:
    inner = _only(ctx)
    match inner:
        case P.EnumArgContext():
            return Enum(_text(inner).partition("::")[0])
        case P.FuncCallArgContext():
            return Function(_text(inner.identifier()), _arguments(inner.arguments()))
        case P.LambdaArgContext():
            return _lambda(inner)
    if not hasattr(inner, "getChildren"):
        return Parameter(_text(inner))
    return _literal(inner)


def _literal(ctx: Any) -> Literal:
    """``value::type``; the value may be of several tokens."""
    children = list(ctx.getChildren())
    at = next(i for i, c in enumerate(children) if _text(c) == "::")
    value = _raw(children[0]) if at == 1 else "".join(map(_text, children[:at]))
    return Literal(value, "".join(map(_text, children[at + 1 :])))


def _raw(ctx: Any) -> Any:
    match ctx:
        case P.LiteralListContext() | P.LiteralStructContext():
            values = [_raw(c) for c in ctx.getChildren() if isinstance(c, P.CompoundLiteralContext)]
            return values if isinstance(ctx, P.LiteralListContext) else tuple(values)
        case P.LiteralMapContext():
            return {_raw(_only(e)): _raw(e.getChild(2)) for e in ctx.mapEntry()}
        case P.CompoundLiteralContext():
            return _raw(_only(ctx))
    return _text(ctx)


def _lambda(ctx: Any) -> Lambda:
    made, body = ctx.literalLambda(), ctx.literalLambda().lambdaBody()
    names = made.lambdaParameters().Identifier()
    parameters = tuple(map(_text, names if isinstance(names, list) else [names]))
    call = Function(_text(body.identifier()), _arguments(body.arguments()))
    return Lambda(parameters, call, _literal(ctx).type)


def _result(ctx: Any) -> Any:
    if ctx.substraitError():
        return _text(ctx).strip("<!>")
    return _argument(ctx.argument())


def _column_result(ctx: Any) -> Any:
    if ctx.substraitError():
        return _text(ctx).strip("<!>")
    column = ctx.dataColumn()
    type_ = _text(column.dataType())
    return tuple(Literal(v, type_) for v in _values(column.columnValues()))


def _values(ctx: Any) -> tuple[Any, ...]:
    return tuple(_raw(_only(x)) for x in ctx.literal())


def _rows(ctx: Any) -> tuple[tuple[Any, ...], ...]:
    found = tuple(_values(row) for row in ctx.columnValues())
    return () if found == ((),) else found


def _aggregate(ctx: Any) -> tuple[Function, Table]:
    name = _text(ctx.identifier())
    if isinstance(ctx, P.SingleArgAggregateFuncCallContext):
        column = ctx.dataColumn()
        rows = tuple((v,) for v in _values(column.columnValues()))
        return Function(name, (Column(0),)), Table((_text(column.dataType()),), rows)
    if isinstance(ctx, P.CompactAggregateFuncCallContext):
        types: dict[int, str] = {}
        args = tuple(
            _compact(a, types)
            for a in (ctx.aggregateFuncArgs().aggregateFuncArg() if ctx.aggregateFuncArgs() else [])
        )
        columns = tuple(types[i] for i in range(max(types, default=-1) + 1))
        return Function(name, args), Table(columns, _rows(ctx.tableRows()))
    more = ctx.qualifiedAggregateFuncArgs()
    args = tuple(
        _argument(a.argument()) if a.argument() else _column(a.ColumnName())
        for a in (more.qualifiedAggregateFuncArg() if more else [])
    )
    return Function(name, args), _table(ctx.tableData())


def _over_literal(call: Function) -> tuple[Function, Table]:
    """``sum(('1', '2')::u!u8)``, of which the values are a struct to the grammar."""
    (column,) = call.args
    rows = tuple((v,) for v in column.raw)
    return Function(call.name, (Column(0),)), Table((column.type,), rows)


def _compact(ctx: Any, types: dict[int, str]) -> Any:
    if ctx.argument():
        return _argument(ctx.argument())
    column = _column(ctx.ColumnName())
    types[column.index] = _text(ctx.dataType())
    return column


def _column(node: Any) -> Column:
    return Column(int(_text(node).removeprefix("col")))


def _table(ctx: Any) -> Table:
    return Table(tuple(_text(t) for t in ctx.dataType()), _rows(ctx.tableRows()))


def _window(ctx: Any) -> tuple[Function, Table]:
    listed = ctx.windowFuncArgs()
    args = tuple(
        _argument(a.argument()) if a.argument() else _column(a.ColumnName())
        for a in (listed.windowFuncArg() if listed else [])
    )
    return Function(_text(ctx.identifier()), args), _table(ctx.tableData())
