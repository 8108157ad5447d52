"""What the messages of a plan say of tables, files and functions; no SQL is made for that, and nothing is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.lower.relations.reads.files import file_read, format_of
from substrait_sql.lower.relations.reads.paths import location, spark_path
from substrait_sql.plan.extended import as_plan
from substrait_sql.policy import known
from substrait_sql.policy.model import (
    Extension,
    FileRead,
    Function,
    TableRead,
    TableWrite,
    Variation,
)
from substrait_sql.schema.functions import Functions
from substrait_sql.wire.inside import placed_parts
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.schema.functions import FunctionName
    from substrait_sql.wire import Decoded
    from substrait_sql.wire.path import Path

# What holds neither relations nor calls.
_CLOSED = ("Type", "Literal", "NamedStruct", "RelCommon", "SimpleExtensionDeclaration")
_OWN = "extension:substrait_sql:"
_CALLED = ("function_reference", "comparison_function_reference", "custom_function_reference")
# Whether rows come in an order is not changed by these.
_IN_ORDER = ("project", "filter")


class Touched(NamedTuple):
    """What was found, each once, with the first node that says so."""

    tables: tuple[TableRead, ...]
    targets: tuple[TableWrite, ...]
    files: tuple[FileRead, ...]
    functions: tuple[Function, ...]
    extensions: tuple[Extension, ...]
    variations: tuple[Variation, ...]


def touched(decoded: Decoded, dialect: Dialect) -> Touched:
    """All that the relations of a plan name, those that no root uses included.

    Raises what `render` raises for files and functions that are not declared right.
    """
    decoded = as_plan(decoded)
    found = _Found(decoded, dialect)
    for message, path in _messages(decoded.plan):
        found.see(message, path)
    return Touched(
        tuple(found.tables.values()),
        tuple(found.targets),
        tuple(found.files.values()),
        tuple(found.functions.values()),
        tuple(found.extensions.values()),
        tuple(found.variations),
    )


def _messages(plan: Any) -> Iterator[tuple[Any, Path]]:
    stack: list[tuple[Any, Path]] = [(plan, ROOT)]
    while stack:
        message, path = stack.pop()
        yield message, path
        stack.extend(reversed(list(placed_parts(message, path, _CLOSED))))


def is_file(names: Sequence[str]) -> bool:
    """Whether Spark may take the name of a table for files: parquet.`/data/people`. It may be a table all the same."""
    if any(c in names[-1] for c in "/\\"):
        return True
    source = names[0].lower()
    odd = "." in source or any(c in names[-1] for c in ".:*?[{")
    return len(names) == 2 and (odd or source in known.data_sources())


def named_files(names: tuple[str, ...], path: object) -> FileRead:
    """The files that such a name stands for: Spark takes its last part for a pattern, as it is."""
    form = names[0].lower() if len(names) > 1 else ""
    return FileRead(".".join(names), form, names[-1], True, str(path), names)


class _Found:
    def __init__(self, decoded: Decoded, dialect: Dialect) -> None:
        self._names = Functions(decoded.plan)
        self._dialect = dialect
        self.tables: dict[tuple[str, ...], TableRead] = {}
        self.targets: list[TableWrite] = []
        self.files: dict[tuple[Any, ...], FileRead] = {}
        self.functions: dict[FunctionName, Function] = {}
        self.extensions: dict[str, Extension] = {}
        self.variations: list[Variation] = []

    def see(self, message: Any, path: Path) -> None:
        match message.DESCRIPTOR.name:
            case "ReadRel":
                self._read(message, path)
            case "WriteRel" | "UpdateRel":
                self._target(message.named_table.names, path)
            case "DdlRel":
                self._target(message.named_object.names, path)
            case "ExtensionLeafRel" | "ExtensionSingleRel" | "ExtensionMultiRel":
                self._extension(message.detail.type_url, path)
            case "FetchRel":
                self._limit(message.input, path)
            case "TopNRel":
                self.variations.append(Variation(_TIES, str(path)))
        for field in _CALLED:
            known_field = message.DESCRIPTOR.fields_by_name.get(field)
            if known_field is None:
                continue
            if known_field.containing_oneof is None or message.HasField(field):
                self._function(getattr(message, field), message, path)

    def _read(self, message: Any, path: Path) -> None:
        kind = message.WhichOneof("read_type")
        if kind == "named_table":
            names = tuple(message.named_table.names)
            if names and is_file(names):
                self._file(named_files(names, path))
            elif names:
                self.tables.setdefault(names, TableRead(names, str(path)))
        elif kind == "local_files":
            for i, item in enumerate(message.local_files.items):
                self._item(item, ((path / kind) / "items")[i])
        elif kind == "iceberg_table":
            uri = message.iceberg_table.direct.metadata_uri
            where = location(uri, path / kind)
            self._file(FileRead(uri, "iceberg", where, False, str(path / kind)))
        elif kind == "extension_table":
            self._extension(message.extension_table.detail.type_url, path / kind)

    def _target(self, names: Sequence[str], path: Path) -> None:
        # One without a name is refused when the SQL is made.
        if names:
            self.targets.append(TableWrite(tuple(names), path.step, str(path)))

    def _item(self, item: Any, path: Path) -> None:
        read = file_read(item, path)
        kind = item.WhichOneof("path_type")
        pattern = kind == "uri_path_glob"
        form = format_of(read)
        where = spark_path(read.uri, kind, path) if pattern else location(read.uri, path)
        form = "csv" if form == "text" else form
        self._file(FileRead(read.uri, form, where, pattern, str(path)))

    def _file(self, read: FileRead) -> None:
        self.files.setdefault((read.place, read.format, read.table), read)

    def _extension(self, url: str, path: Path) -> None:
        self.extensions.setdefault(url, Extension(url, str(path)))

    def _function(self, anchor: int, call: Any, path: Path) -> None:
        name = self._names.get(anchor, path)
        if name not in self.functions:
            urn = self._dialect.urn_of(name.urn) if name.urn else ""
            foreign = "engine" if urn.startswith(_OWN) else "user"
            origin = foreign if name.foreign else "standard"
            self.functions[name] = Function(name.name, origin, name.stem or urn, str(path))
            self._by_order(name, call, path)

    def _by_order(self, name: FunctionName, call: Any, path: Path) -> None:
        kind = _OVER_ROWS.get(call.DESCRIPTOR.name)
        if kind is None:
            return
        facts = self._dialect.facts(kind, name)
        if not (facts.steady or facts.orderless):
            self.variations.append(Variation(_BY_ORDER.format(name.name), str(path)))

    def _limit(self, rel: Any, path: Path) -> None:
        kind = rel.WhichOneof("rel_type")
        while kind in _IN_ORDER:
            rel = getattr(rel, kind).input
            kind = rel.WhichOneof("rel_type")
        self.variations.append(Variation(_TIES if kind == "sort" else _NO_ORDER, str(path)))


_OVER_ROWS = {
    "AggregateFunction": "aggregate",
    "WindowFunction": "window",
    "WindowRelFunction": "window",
}
_BY_ORDER = "{} may depend on the order of equal rows"
_NO_ORDER = "LIMIT with no ORDER BY takes any of the rows"
_TIES = "LIMIT with an ORDER BY that may leave rows equal takes any of those"
