"""What of Substrait is right, refused, or not there yet: `python -m tests.tools.relations`.

An *alternative* is a member of a oneof or a value of an enum, such as ``JoinRel.type=LEFT_SEMI``. They are read off the
descriptors, so that none can be forgotten; the numbers are those of the specification's checklist. The golden plans of
tests/plans are the evidence: an alternative is right if a plan that uses it returns the right rows. What is refused
stands in dialects/spark/support/plans.yaml, each with its reason. docs/relations.md is printed from the same data.

    python -m tests.tools.relations            a line per alternative, each judged by its smallest plan on Spark
    python -m tests.tools.relations --write    drop refusals that golden plans contradict, write docs/relations.md
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql import SubstraitSqlError, wire
from substrait_sql.resources import DIALECTS
from substrait_sql.wire.descriptors import message
from substrait_sql.wire.fields import is_repeated
from tests.support.cases import PLANS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[2] / "docs" / "relations.md"
DATA = DIALECTS / "spark" / "support" / "plans.yaml"

# What is chosen between: (heading, message, oneof or enum field, how many alternatives the specification has).
RELATION_LEVEL: list[tuple[str, str, str, int]] = [
    ("emit", "RelCommon", "emit_kind", 2),
    ("read types", "ReadRel", "read_type", 5),
    ("paths of files", "ReadRel.LocalFiles.FileOrFiles", "path_type", 4),
    ("file formats", "ReadRel.LocalFiles.FileOrFiles", "file_format", 6),
    ("Iceberg snapshots", "ReadRel.IcebergTable.MetadataFileRead", "snapshot", 3),
    ("joins", "JoinRel", "type", 12),
    ("hash joins", "HashJoinRel", "type", 12),
    ("merge joins", "MergeJoinRel", "type", 12),
    ("nested loop joins", "NestedLoopJoinRel", "type", 12),
    ("lateral joins", "LateralJoinRel", "type", 6),
    ("build sides", "HashJoinRel", "build_input", 2),
    ("key comparisons", "ComparisonJoinKey.ComparisonType", "inner_type", 4),
    ("set operations", "SetRel", "op", 8),
    ("sort directions", "SortField", "sort_kind", 6),
    ("top-N modes", "TopNRel", "mode", 2),
    ("aggregation phases", "AggregateFunction", "phase", 4),
    ("invocations", "AggregateFunction", "invocation", 2),
    ("window frames", "Expression.WindowFunction", "bounds_type", 2),
    ("window bounds", "Expression.WindowFunction.Bound", "kind", 4),
    ("exchanges", "ExchangeRel", "exchange_kind", 5),
    ("exchange targets", "ExchangeRel.ExchangeTarget", "target_type", 2),
    ("expand fields", "ExpandRel.ExpandField", "field_type", 2),
    ("writes", "WriteRel", "op", 4),
    ("create modes", "WriteRel", "create_mode", 4),
    ("write outputs", "WriteRel", "output", 2),
    ("write targets", "WriteRel", "write_type", 2),
    ("definitions", "DdlRel", "op", 5),
    ("defined objects", "DdlRel", "object", 2),
    ("definition targets", "DdlRel", "write_type", 2),
    ("updates", "UpdateRel", "update_type", 1),
    ("plan relations", "PlanRel", "rel_type", 2),
]
OTHERS: list[tuple[str, str, str, int]] = [
    ("relations", "Rel", "rel_type", 25),
    ("expressions", "Expression", "rex_type", 17),
    ("reference roots", "Expression.FieldReference", "root_type", 4),
    ("references", "Expression.FieldReference", "reference_type", 2),
    ("outer references", "Expression.FieldReference.OuterReference", "outer_reference_type", 2),
    ("segments", "Expression.ReferenceSegment", "reference_type", 3),
    ("masks", "Expression.MaskExpression.Select", "type", 3),
    ("list masks", "Expression.MaskExpression.ListSelect.ListSelectItem", "type", 2),
    ("map masks", "Expression.MaskExpression.MapSelect", "select", 2),
    ("nested values", "Expression.Nested", "nested_type", 3),
    ("subqueries", "Expression.Subquery", "subquery_type", 4),
    ("set predicates", "Expression.Subquery.SetPredicate", "predicate_op", 2),
    ("set comparisons", "Expression.Subquery.SetComparison", "reduction_op", 2),
    ("set comparison operators", "Expression.Subquery.SetComparison", "comparison_op", 6),
    ("cast failures", "Expression.Cast", "failure_behavior", 2),
    ("arguments", "FunctionArgument", "arg_type", 3),
    (
        "context variables",
        "Expression.ExecutionContextVariable",
        "execution_context_variable_type",
        3,
    ),
    ("literals", "Expression.Literal", "literal_type", 28),
    ("types", "Type", "kind", 28),
]
_UNSET = "(unset)"
# Alternatives of a oneof that also has one when nothing is set.
_WITH_UNSET = ("ReadRel.IcebergTable.MetadataFileRead",)
# A oneof or field whose members are themselves enums: the alternatives are the values.
_SPREAD = ("SortField.direction", "ComparisonJoinKey.ComparisonType.simple")
# Values of a shared enum that the specification forbids in this place.
_FORBIDDEN = {
    f"LateralJoinRel.type={kind}"
    for kind in ("RIGHT", "OUTER", "RIGHT_SEMI", "RIGHT_ANTI", "RIGHT_SINGLE", "RIGHT_MARK")
}
# What no golden plan can show, because it changes something or has to be registered first; the tests that do.
_EXTENSIONS, _WRITES = (
    "tests/lower/relations/test_extensions.py",
    "tests/lower/relations/test_writes.py",
)
_FILES, _ICEBERG = "tests/lower/relations/test_files.py", "tests/lower/relations/test_iceberg.py"
# What is gone once a plan has been read is shown by golden plans all the same.
_DETACHED = "tests/plans/detached"
SHOWN = {
    "ReadRel.read_type=extension_table": _EXTENSIONS,
    "ReadRel.read_type=local_files": _FILES,
    "ReadRel.read_type=iceberg_table": _ICEBERG,
    **{
        f"ReadRel.IcebergTable.MetadataFileRead.snapshot={kind}": _ICEBERG
        for kind in ("snapshot_id", "snapshot_timestamp", _UNSET)
    },
    **{
        f"ReadRel.LocalFiles.FileOrFiles.path_type={kind}": _FILES
        for kind in ("uri_path", "uri_path_glob", "uri_file", "uri_folder")
    },
    **{
        f"ReadRel.LocalFiles.FileOrFiles.file_format={form}": _FILES
        for form in ("parquet", "orc", "arrow", "text", "extension")
    },
    "Rel.rel_type=detached_rel_ordinal": f"{_DETACHED}/relation.json",
    "Expression.rex_type=detached_expression_ordinal": f"{_DETACHED}/expression.json",
    **{f"Rel.rel_type=extension_{kind}": _EXTENSIONS for kind in ("leaf", "single", "multi")},
    **dict.fromkeys((f"Rel.rel_type={kind}" for kind in ("write", "ddl", "update")), _WRITES),
    **{f"WriteRel.op={op}": _WRITES for op in ("INSERT", "DELETE", "CTAS")},
    **{
        f"WriteRel.create_mode={mode}_IF_EXISTS": _WRITES
        for mode in ("APPEND", "REPLACE", "IGNORE", "ERROR")
    },
    "WriteRel.output=NO_OUTPUT": _WRITES,
    "WriteRel.write_type=named_table": _WRITES,
    **{
        f"DdlRel.op={op}": _WRITES
        for op in ("CREATE", "CREATE_OR_REPLACE", "ALTER", "DROP", "DROP_IF_EXIST")
    },
    **{f"DdlRel.object={kind}": _WRITES for kind in ("TABLE", "VIEW")},
    "DdlRel.write_type=named_object": _WRITES,
    "UpdateRel.update_type=named_table": _WRITES,
}


@dataclass(frozen=True)
class Alternative:
    """One of them. name: ``JoinRel.type=LEFT``."""

    group: str
    name: str


def descriptor(name: str) -> Any:
    return message(name).DESCRIPTOR


def alternatives(table: list[tuple[str, str, str, int]]) -> list[Alternative]:
    found = []
    for group, owner, choice, _ in table:
        found += [Alternative(group, n) for n in members(owner, choice)]
    return found


def members(owner: str, choice: str) -> list[str]:
    """The alternatives of one choice, each once."""
    return [n for n in dict.fromkeys(_members(owner, choice)) if n not in _FORBIDDEN]


def _members(owner: str, choice: str) -> Iterator[str]:
    about = descriptor(owner)
    if choice in about.oneofs_by_name:
        for field in about.oneofs_by_name[choice].fields:
            if f"{owner}.{field.name}" in _SPREAD:
                yield from (f"{owner}.{field.name}={n}" for n in values(field))
            else:
                yield f"{owner}.{choice}={field.name}"
        if owner in _WITH_UNSET:
            yield f"{owner}.{choice}={_UNSET}"
    else:
        yield from (f"{owner}.{choice}={n}" for n in values(about.fields_by_name[choice]))


def values(field: Any) -> list[str]:
    """The values of an enum without the unspecified one, and without the prefix they share."""
    enum = field.enum_type
    return [short(enum, v.number) for v in enum.values if v.number != 0]


def short(enum: Any, number: int) -> str:
    names = [v.name for v in enum.values]
    prefix = names[0]
    while not all(n.startswith(prefix) for n in names):
        prefix = prefix[: prefix.rstrip("_").rfind("_") + 1]
    return str(enum.values_by_number[number].name.removeprefix(prefix))


def used(root: Any) -> set[str]:
    """The alternatives that a plan uses."""
    found: set[str] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        about = node.DESCRIPTOR
        owner = about.full_name.removeprefix("substrait.")
        for oneof in about.oneofs:
            member = node.WhichOneof(oneof.name)
            if member is None and owner in _WITH_UNSET:
                member = _UNSET
            if member is not None:
                found.add(f"{owner}.{oneof.name}={member}")
        for field, value in node.ListFields():
            several = list(value) if is_repeated(field) else [value]
            if field.enum_type is not None:
                found.update(f"{owner}.{field.name}={short(field.enum_type, v)}" for v in several)
            elif field.message_type is not None:
                stack += [v for v in several if hasattr(v, "ListFields")]
    return found


@cache
def evidence() -> dict[str, list[str]]:
    """For each alternative the golden plans that use it and are rendered, the smallest first."""
    from tests.golden.test_plans import RENDERED, name

    found: dict[str, list[str]] = {alternative: [test] for alternative, test in SHOWN.items()}
    plans = {path: wire.read(path).plan for path in RENDERED}
    for path in sorted(RENDERED, key=lambda p: (plans[p].ByteSize(), str(p))):
        for alternative in used(plans[path]):
            found.setdefault(alternative, []).append(name(path))
    return found


@cache
def refusals() -> dict[str, dict[str, Any]]:
    """What is refused, from the data file: ``reason``, and ``physical`` if no lowering could change it."""
    return {
        r["alternative"]: r for r in yaml.safe_load(DATA.read_text(encoding="utf-8"))["refused"]
    }


def prune() -> None:
    """Take out of the data file what a golden plan shows to be right."""
    entries = re.split(r"(?m)^(?=- )", DATA.read_text(encoding="utf-8"))
    kept = [entry for entry in entries if _listed(entry) not in evidence()]
    DATA.write_text("".join(kept), encoding="utf-8")
    refusals.cache_clear()


def _listed(entry: str) -> str:
    found = re.match(r'- {?alternative: "([^"]*)"', entry)
    return found[1] if found else ""


def page() -> str:
    """The support tables as a page."""
    out = [
        "# Support for relations, expressions and types",
        "",
        "Printed by `python -m tests.tools.relations --write` from the golden plans of `tests/plans` and from",
        f"`dialects/spark/support/{DATA.name}`; a test checks that it is current. An alternative is *right* if a plan",
        "that uses it returns on Spark the rows worked out by hand; *refused* if Spark has no form for it.",
    ]
    for title, table in (("Relations", RELATION_LEVEL), ("Expressions and types", OTHERS)):
        counts = Counter(status(a.name)[0] for a in alternatives(table))
        numbers = ", ".join(
            f"{counts[s]} {s}" for s in ("right", "refused", "not yet") if counts[s]
        )
        out += ["", f"## {title}", "", f"{sum(counts.values())} alternatives: {numbers}."]
        for group, owner, choice, _ in table:
            out += ["", f"### {group}: `{owner}.{choice}`", "", "| | | |", "|---|---|---|"]
            for full in members(owner, choice):
                state, why = status(full)
                out.append(f"| `{full.partition('=')[2]}` | {state} | {why} |")
    return "\n".join(out) + "\n"


def status(name: str) -> tuple[str, str]:
    """Right, refused or not yet; and the plan that shows it, or the reason."""
    if name in evidence():
        return "right", f"`{evidence()[name][0]}`"
    if name in refusals():
        refusal = refusals()[name]
        return ("refused" if refusal.get("physical") else "not yet"), refusal["reason"]
    return "not yet", ""


def main() -> int:
    if "--write" in sys.argv:
        prune()
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    from substrait_sql import local_session
    from tests.support import rows, run

    spark = local_session("local[2]", {"spark.sql.shuffle.partitions": "2"})
    tables = run.plan_tables(spark)

    @cache
    def verdict(plan: str) -> str:
        path = next(f for s in (".json", ".pb", ".txtpb") if (f := PLANS / f"{plan}{s}").exists())
        expected = rows.load(path.with_suffix(".rows.json"))
        try:
            frames = run.frames(spark, path, tables)
            pairs = zip(frames, expected, strict=True)
            wrong = [rows.difference(run.collect(f), e.rows, e.ordered) for f, e in pairs]
        except SubstraitSqlError as error:
            return str(error).split("\n")[0]
        return next(filter(None, wrong), "")

    totals: Counter[str] = Counter()
    for title, table in (("relation level", RELATION_LEVEL), ("expression level", OTHERS)):
        print(title)
        for each in alternatives(table):
            state, why = status(each.name)
            if state == "right" and each.name not in SHOWN and (problem := verdict(why.strip("`"))):
                state, why = "wrong", f"{why}: {problem}"
            totals[f"{title}: {state}"] += 1
            print(f"  {state:8} {each.name:60} {why}")
    print(*(f"{n:4} {what}" for what, n in sorted(totals.items())), sep="\n")
    return 1 if any("wrong" in what for what in totals) else 0


if __name__ == "__main__":
    raise SystemExit(main())
