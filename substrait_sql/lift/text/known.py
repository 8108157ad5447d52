"""What of sqlglot's tree is read: nodes and their parts by name. What is not listed is refused, never passed over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.text import nodes
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUERY = "with_ with order limit offset"
_BINARY = "this expression"
_TEXTS: dict[str, str] = {
    "Select": f"{_QUERY} expressions from_ from joins where group having qualify windows distinct laterals hint sort "
    "cluster distribute",
    "Union": f"{_QUERY} this expression distinct by_name",
    "Except": f"{_QUERY} this expression distinct by_name",
    "Intersect": f"{_QUERY} this expression distinct by_name",
    "Subquery": f"{_QUERY} this alias joins",
    "Values": f"{_QUERY} expressions alias joins",
    "Table": "this db catalog alias joins version hints partition", "Partition": "expressions",
    "With": "expressions recursive", "CTE": "this alias", "TableAlias": "this columns",
    "From": "this", "Where": "this", "Having": "this", "Qualify": "this", "Order": "expressions",
    "Sort": "expressions", "Cluster": "expressions", "Distribute": "expressions",
    "Limit": "expression this", "Offset": "expression this", "Ordered": "this desc nulls_first",
    "Group": "expressions grouping_sets rollup cube all", "GroupingSets": "expressions",
    "Rollup": "expressions", "Cube": "expressions", "Distinct": "expressions",
    "Join": "this on using side kind method joins", "Lateral": "this view outer alias",
    "Hint": "expressions", "JoinHint": "this expressions",
    "Alias": "this alias", "Aliases": "this expressions", "Column": "this table db catalog",
    "Identifier": "this quoted", "Star": "except_ except", "Dot": _BINARY, "Var": "this",
    "Literal": "this is_string", "RawString": "this", "National": "this", "HexString": "this",
    "Concat": "expressions", "Boolean": "this", "Null": "", "Interval": "this unit",
    "IntervalSpan": _BINARY, "Placeholder": "this", "Parameter": "this", "Paren": "this",
    "Tuple": "expressions", "Neg": "this", "Not": "this", "BitwiseNot": "this",
    "Between": "this low high", "In": "this expressions query", "Is": _BINARY,
    "Like": "this expression negate", "ILike": "this expression negate", "Escape": _BINARY,
    "RegexpLike": _BINARY, "DPipe": "this expression safe", "Any": "this", "All": "this",
    "Case": "this ifs default", "If": "this true false", "TryCast": "this to", "Cast": "this to",
    "DataType": "this expressions nested kind", "DataTypeParam": "this", "ColumnDef": "this kind constraints",
    "ColumnConstraint": "kind", "NotNullColumnConstraint": "", "CommentColumnConstraint": "this",
    "DefaultColumnConstraint": "this",
    "Anonymous": "this expressions", "Window": "this partition_by order spec alias over",
    "WindowSpec": "kind start start_side end end_side", "Filter": _BINARY, "WithinGroup": _BINARY,
    "IgnoreNulls": "this", "RespectNulls": "this", "Lambda": "this expressions", "Kwarg": _BINARY,
    "PropertyEQ": _BINARY, "Extract": _BINARY, "Trim": "this position expression",
    "Substring": "this start length", "StrPosition": "this substr", "Overlay": "this expression from_ for_ from for",
    "Exists": "this",
    "Bracket": "this expressions", "Collate": _BINARY, "Div": "this expression typed safe",
    "Coalesce": "this expressions", "Subscript": _BINARY,
    "Insert": "this expression overwrite by_name source with_ with where", "Schema": "this expressions",
    "Create": "this kind replace exists expression properties", "Properties": "expressions",
    "FileFormatProperty": "this", "TemporaryProperty": "", "Delete": "this where",
    "Update": "this expressions where", "TruncateTable": "expressions partition is_database",
    "Alter": "this kind actions", "Merge": "this using on whens", "Whens": "expressions",
    "When": "matched source condition then",
    "Drop": "this tables kind exists purge cascade restrict temporary materialized", "Sqrt": "this",
    # Refused where FROM is read, with a better reason.
    "Version": "this expression kind",
}  # fmt: skip
_PLAIN = (
    "Add Sub Mul Mod IntDiv EQ NEQ NullSafeEQ NullSafeNEQ LT LTE GT GTE And Or Xor BitwiseAnd BitwiseOr BitwiseXor "
    "BitwiseLeftShift BitwiseRightShift"
)
_NUMBER = re.compile(r"\d+(?:\.\d*)?\Z")
_KNOWN: dict[type, frozenset[str]] = {
    getattr(exp, name): frozenset(parts.split())
    for name, parts in {**_TEXTS, **dict.fromkeys(_PLAIN.split(), _BINARY)}.items()
    if hasattr(exp, name)
}
_KNOWN[nodes.Piped] = frozenset({releases.WITH, "this", "steps"})
_KNOWN[nodes.Step] = frozenset({"kind", "this", "names", "expressions", "keys"})
_KNOWN[nodes.Pivoted] = frozenset({"expressions", "over", "values", "alias"})
_KNOWN[nodes.Unpivoted] = frozenset({"names", "over", "values", "nulls", "alias"})
SAID = {
    "sample": ("SS5007", "a sample is drawn anew each time: a plan has no word for it"),
    "a colon": ("SS5007", "a colon takes a VARIANT apart: a plan has no word for it"),
    "a number for a name": ("SS5003", "a name that is a number stands in backquotes"),
    "a type for a name": ("SS5001", "not Spark SQL: the name of a column stands by itself here"),
    "a parameter for a name": (
        "SS5001",
        "not Spark SQL: a parameter stands for a value, and not for a name",
    ),
}
"""What is said of a part that is not read, by what `unknown` calls it: the code and the message."""
# What is made of names.
_NAMED = (exp.Table, exp.TableAlias, exp.Column)
# What the parser notes for printers.
_NOTES = frozenset({"comments", "_type"})


# What a CREATE or ALTER says of a table, each refused by name where the statement is read.
_SAID = (
    exp.Property, exp.PrimaryKey, exp.ForeignKey, exp.Constraint, exp.UniqueColumnConstraint,
    exp.CheckColumnConstraint, exp.ComputedColumnConstraint, exp.GeneratedAsIdentityColumnConstraint,
    exp.AlterRename, exp.AlterColumn, exp.RenameColumn, exp.AlterSet, exp.AddPartition, exp.DropPartition,
    exp.AddConstraint,
)  # fmt: skip


def _refused_where_read(node: Any) -> bool:
    read = isinstance(node, (exp.FileFormatProperty, exp.TemporaryProperty))
    # Looking for what is around takes time with the depth: first what the node is.
    if read or not isinstance(node, _SAID):
        return False
    return node.find_ancestor(exp.Create, exp.Alter) is not None


def unknown(tree: Any) -> Iterator[tuple[Any, str]]:
    """The nodes that nothing here reads, and those with a part that nothing reads, with its name."""
    for node in tree.walk(prune=_refused_where_read):
        if _refused_where_read(node):
            continue
        if isinstance(node, exp.Identifier) and not node.quoted and _NUMBER.match(node.name):
            yield node, "a number for a name"
            continue
        known = _KNOWN.get(type(node))
        if known is None:
            yield node, ""
            continue
        if isinstance(node, exp.TableAlias):
            yield from (
                (c, "a type for a name") for c in node.columns if isinstance(c, exp.ColumnDef)
            )
        # `a : b` takes a VARIANT apart; sqlglot reads an alias that is a parameter.
        if isinstance(node.args.get("alias"), exp.Placeholder):
            yield node, "a colon"
        if isinstance(node, exp.Placeholder) and isinstance(node.parent, _NAMED):
            yield node, "a parameter for a name"
        for name, value in node.args.items():
            if name not in known and name not in _NOTES and value not in (None, False, []):
                yield node, name
