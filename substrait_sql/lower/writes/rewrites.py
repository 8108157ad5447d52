"""Updates and deletions as the rows that the table has afterwards, for tables whose rows cannot be changed in place."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.errors import refuse
from substrait_sql.plan import build
from substrait_sql.plan.enhancements import refuse_enhancements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path

FORMATS: Final = frozenset({"avro", "csv", "hive", "json", "orc", "parquet", "text", "xml"})
"""The formats whose tables take rows and give them, and no more: Spark writes their files, and never changes one."""

CHECKED: Final = "checked"
"""A word behind a format: rows are compared with those that were written, before the table gets them."""

_TEXTS: Final = frozenset({"csv", "hive", "json", "text", "xml"})


class Rewriting(Enum):
    """How a table gets other rows."""

    NONE = "in place, as far as anybody knows"
    PLAIN = "by way of a second table"
    CHECKED = "likewise, and it may hold other rows than it is given: texts lose blanks, line ends, microseconds"

    @classmethod
    def of(cls, said: str) -> Rewriting:
        """That of a table of this format.

        >>> Rewriting.of("ORC"), Rewriting.of("delta")
        (<Rewriting.PLAIN: 'by way of a second table'>, <Rewriting.NONE: 'in place, as far as anybody knows'>)
        """
        format, _, word = said.lower().partition(" ")
        if format not in FORMATS:
            return cls.NONE
        return cls.CHECKED if word == CHECKED or format in _TEXTS else cls.PLAIN


def updated_rows(node: Any) -> Any:
    """The rows of the table with their new values, as a relation: every value is computed of the old row."""
    source = build.rel()
    source.read.base_schema.CopyFrom(node.table_schema)
    source.read.named_table.names.extend(node.named_table.names)
    width = len(node.table_schema.struct.types)
    values: list[Any] = []
    mapping = list(range(width))
    for each in node.transformations:
        mapping[each.column_target] = width + len(values)
        value = each.transformation
        if node.HasField("condition"):
            value = build.choice(node.condition, value, build.column(each.column_target))
        values.append(value)
    made = build.project(source, values, mapping)
    made.project.common.rel_anchor = node.common.rel_anchor
    return made


def kept_rows(rel: Any, cx: Context, path: Path) -> Any:
    """The rows of a table that are not among these: of filters over the table itself. A NULL condition keeps a row.

    Raises SS2091 for other rows, whose records nobody can tell apart.
    """
    conditions: list[Any] = []
    anchors: set[int] = set()
    for kind, node, at in _chain(rel, path):
        refuse_enhancements(node, at)
        if node.common.emit.output_mapping and list(node.common.emit.output_mapping) != list(
            range(len(node.common.emit.output_mapping))
        ):
            raise _other_rows(at)
        field = "condition" if kind == "filter" else "filter"
        if kind != "sort" and node.HasField(field):
            conditions.append(getattr(node, field))
            anchors.add(node.common.rel_anchor)
    source = build.rel()
    source.read.base_schema.CopyFrom(node.base_schema)
    source.read.named_table.names.extend(node.named_table.names)
    if not conditions:
        return build.filtered(source, build.false())
    if len(anchors) > 1:
        raise _other_rows(path)
    whole = build.conjunction(cx.functions, list(reversed(conditions)))
    kept = build.call(cx.functions, "functions_comparison", "is_not_true:bool", whole)
    made = build.filtered(source, kept)
    made.filter.common.rel_anchor = anchors.pop()
    return made


def _chain(rel: Any, path: Path) -> Iterator[tuple[str, Any, Path]]:
    """The relations down to the table, the outermost first."""
    while True:
        kind = rel.WhichOneof("rel_type")
        node, path = getattr(rel, kind), path / kind
        if kind == "read" and node.WhichOneof("read_type") == "named_table":
            if node.HasField("projection") or node.HasField("best_effort_filter"):
                raise _other_rows(path)
            yield kind, node, path
            return
        if kind not in ("filter", "sort"):
            raise _other_rows(path)
        yield kind, node, path
        rel, path = node.input, path / "input"


def _other_rows(path: Path) -> Exception:
    return refuse(
        "SS2091",
        "the rows to delete hold no key that says which of several equal records they are",
        path,
        "plan them as a filter over the table itself",
    )
