"""Nothing is passed over in silence: enhancements and unknown fields are refused at their place, hints are ignored."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import UnsupportedError, wire
from substrait_sql.errors import DecodeError
from substrait_sql.wire.descriptors import message
from substrait_sql.wire.fields import is_repeated
from tests.support.cases import PLANS
from tests.wire import old_plans

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = "example.com/acme.Twist"
EXTENSION = "substrait.extensions.AdvancedExtension"
RELATIONS = {f.name for f in message("Rel").DESCRIPTOR.fields} - {
    "reference",  # has no fields in common with the others
    "detached_rel_ordinal",
    "extension_leaf",  # without a registered lowering these three are nothing but refused
    "extension_single",
    "extension_multi",
}


TARGET = {"names": ["w"]}
SCHEMA = old_plans.T["read"]["baseSchema"]
WRITES = (
    (
        "write",
        {
            "namedTable": TARGET,
            "tableSchema": SCHEMA,
            "op": "WRITE_OP_INSERT",
            "input": old_plans.T,
        },
    ),
    (
        "ddl",
        {
            "namedObject": TARGET,
            "tableSchema": SCHEMA,
            "object": "DDL_OBJECT_TABLE",
            "op": "DDL_OP_DROP",
        },
    ),
    (
        "update",
        {
            "namedTable": TARGET,
            "tableSchema": SCHEMA,
            "condition": {"literal": {"boolean": True}},
            "transformations": [{"transformation": old_plans.ONE, "columnTarget": 0}],
        },
    ),
)


def relations(node: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every relation of a plan: its kind, its path, and its message."""
    for field, value in node.ListFields():
        if field.message_type is None or field.message_type.full_name == EXTENSION:
            continue
        for i, child in enumerate(value if is_repeated(field) else (value,)):
            at = f"{path}.{field.name}{f'[{i}]' if is_repeated(field) else ''}".lstrip(".")
            if node.DESCRIPTOR.full_name == "substrait.Rel":
                yield field.name, at, child
            yield from relations(child, at)


@cache
def samples() -> dict[str, Any]:
    """A golden plan for each kind of relation, the smallest that has it at the root."""
    found: dict[str, tuple[int, Any]] = {}
    for file in sorted(PLANS.rglob("*.json")):
        if file.name.endswith(".rows.json") or file.parent.name == "tables":
            continue
        plan = wire.read(file).plan
        for kind, _, _ in relations(plan):
            if kind not in found or plan.ByteSize() < found[kind][0]:
                found[kind] = plan.ByteSize(), plan
    written = {kind: wire.read(old_plans.plan({kind: node}, 0, 108)).plan for kind, node in WRITES}
    return {kind: plan for kind, (_, plan) in found.items()} | written


def test_there_is_a_plan_for_every_relation() -> None:
    assert samples().keys() >= RELATIONS


def sites(node: Any) -> Iterator[tuple[str, Any]]:
    """Where an enhancement can stand in a relation: its fields of that type, and those of its own parts."""
    for field in node.DESCRIPTOR.fields:
        of = field.message_type
        if of is None or is_repeated(field):
            continue
        if of.full_name == EXTENSION:
            yield field.name, getattr(node, field.name)
        elif "advanced_extension" in of.fields_by_name and (
            field.name == "common" or node.HasField(field.name)
        ):
            inner = getattr(node, field.name)
            yield f"{field.name}.advanced_extension", inner.advanced_extension


@pytest.mark.parametrize("kind", sorted(RELATIONS))
def test_enhancements_are_refused(kind: str) -> None:
    """Each in a plan of its own, at the relation, what relations have in common, its table, its files."""
    plan = samples()[kind]
    number = next(i for i, found in enumerate(relations(plan)) if found[0] == kind)
    count = len(list(sites(list(relations(plan))[number][2])))
    assert count
    for nth in range(count):
        fresh = type(plan)()
        fresh.CopyFrom(plan)
        _, path, node = list(relations(fresh))[number]
        place, extension = list(sites(node))[nth]
        extension.enhancement.type_url = URL
        with pytest.raises(UnsupportedError, match=URL) as refused:
            substrait_sql.to_sql(fresh)
        assert (refused.value.code, refused.value.path) == ("SS2012", f"{path}.{place}")


def test_enhancements_of_files() -> None:
    plan = wire.read(old_plans.plan(old_plans.files(parquet={}), 2, 108)).plan
    assert substrait_sql.to_sql(plan).startswith("SELECT")
    files = plan.relations[0].root.input.read.local_files
    files.advanced_extension.enhancement.type_url = URL
    with pytest.raises(UnsupportedError, match=URL) as refused:
        substrait_sql.to_sql(plan)
    assert refused.value.path == "relations[0].root.input.read.local_files.advanced_extension"


@pytest.mark.parametrize("kind", sorted(RELATIONS))
def test_hints_change_nothing(kind: str) -> None:
    """Numbers, limits, computations, and optimizations of every relation of the plan."""
    plan = samples()[kind]
    expected = substrait_sql.to_sql(plan)
    hinted = type(plan)()
    hinted.CopyFrom(plan)
    hinted.advanced_extensions.optimization.add(type_url=URL)
    for _, _, node in relations(hinted):
        if "common" not in node.DESCRIPTOR.fields_by_name:
            continue
        hint = node.common.hint
        hint.stats.row_count, hint.stats.record_size = 1e9, 8
        hint.stats.advanced_extension.enhancement.type_url = URL
        hint.constraint.advanced_extension.optimization.add(type_url=URL)
        hint.saved_computations.add(computation_id=1, type=1)
        hint.loaded_computations.add(computation_id_reference=1, type=1)
        node.common.advanced_extension.optimization.add(type_url=URL)
    assert substrait_sql.to_sql(hinted) == expected


@pytest.mark.parametrize("kind", sorted(RELATIONS))
def test_unknown_fields_are_refused(kind: str) -> None:
    """In binary and text; JSON has names for its fields, and a wrong one is refused as well."""
    plan = samples()[kind]
    strange = type(plan)()
    strange.CopyFrom(plan)
    _, path, node = next(found for found in relations(strange) if found[0] == kind)
    node.MergeFromString(b"\xa2\x06\x01x")  # field 100
    with pytest.raises(DecodeError, match="has no field 100") as refused:
        substrait_sql.to_sql(strange.SerializeToString())
    assert (refused.value.code, refused.value.path) == ("SS1008", path)
