"""How time and memory grow with a plan: each is rendered in a process of its own."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

SIZES = {
    "columns": (1000, 2500, 5000),
    "computed columns": (1000, 2500, 5000),
    "reads in one UNION ALL": (2500, 5000, 10000),
    "filters on top of each other": (1000, 2500, 5000),
    "nested calls of add": (75, 150, 300),
    "nested calls of coalesce": (75, 150, 300),
    "nested CASE": (75, 150, 300),
    "rows of literals": (10000, 20000, 40000),
    "kilobytes of text": (5000, 10000, 20000),
}
_NULLABLE = {"nullability": "NULLABILITY_NULLABLE"}
_I64 = {"i64": _NULLABLE}


def _read(columns: int) -> dict[str, Any]:
    struct = {"types": [_I64] * columns, "nullability": "NULLABILITY_REQUIRED"}
    schema = {"names": [f"c{i}" for i in range(columns)], "struct": struct}
    return {"read": {"baseSchema": schema, "namedTable": {"names": ["t"]}}}


def _column(i: int) -> dict[str, Any]:
    reference = {"structField": {"field": i}}
    return {"selection": {"directReference": reference, "rootReference": {}}}


def _call(anchor: int, *arguments: Any, type: Any = _I64) -> dict[str, Any]:
    listed = [{"value": each} for each in arguments]
    return {
        "scalarFunction": {"functionReference": anchor, "outputType": type, "arguments": listed}
    }


def _projected(relation: Any, width: int, expressions: list[Any]) -> dict[str, Any]:
    emit = {"outputMapping": list(range(width, width + len(expressions)))}
    return {"project": {"common": {"emit": emit}, "input": relation, "expressions": expressions}}


_ADD, _COALESCE, _GT = 1, 2, 3
_BOOL = {"bool": _NULLABLE}


def _nested(kind: str, depth: int) -> dict[str, Any]:
    value = _column(0)
    for i in range(depth):
        other = _column(1 + i % 2)
        if kind == "nested calls of add":
            value = _call(_ADD, value, other)
        elif kind == "nested calls of coalesce":
            value = _call(_COALESCE, other, value)
        else:
            branch = {"if": _call(_GT, other, _column(0), type=_BOOL), "then": other}
            value = {"ifThen": {"ifs": [branch], "else": value}}
    return value


def _relation(kind: str, size: int) -> tuple[dict[str, Any], int]:
    """The relation, and how many columns it has."""
    if kind == "columns":
        return _read(size), size
    if kind == "computed columns":
        computed = [_call(_ADD, _column(i), _column((i + 1) % size)) for i in range(size)]
        return _projected(_read(size), size, computed), size
    if kind == "reads in one UNION ALL":
        return {"set": {"op": "SET_OP_UNION_ALL", "inputs": [_read(3)] * size}}, 3
    if kind == "filters on top of each other":
        relation = _read(3)
        for i in range(size):
            literal = {"literal": {"i64": str(i)}}
            condition = _call(_GT, _column(i % 3), literal, type=_BOOL)
            relation = {"filter": {"input": relation, "condition": condition}}
        return relation, 3
    if kind.startswith("nested"):
        return _projected(_read(3), 3, [_nested(kind, size)]), 1
    schema = _read(3)["read"]["baseSchema"]
    if kind == "rows of literals":
        cells = ({"literal": {"i64": str(i), "nullable": True}} for i in range(3 * size))
        rows = [{"fields": list(three)} for three in zip(cells, cells, cells, strict=True)]
    else:
        types = [{"string": _NULLABLE}]
        schema = {"names": ["c"], "struct": {"types": types, "nullability": "NULLABILITY_REQUIRED"}}
        texts = ({"literal": {"string": f"{i:06}" * 170, "nullable": True}} for i in range(size))
        rows = [{"fields": [text]} for text in texts]
    return {"read": {"baseSchema": schema, "virtualTable": {"expressions": rows}}}, len(
        schema["names"]
    )


def _plan(kind: str, size: int) -> bytes:
    import substrait_sql

    relation, width = _relation(kind, size)
    functions = {_ADD: "add:i64_i64", _COALESCE: "coalesce:any", _GT: "gt:any_any"}
    stems = {_ADD: "arithmetic", _COALESCE: "comparison", _GT: "comparison"}
    plan = {
        "version": {"minorNumber": 108},
        "extensionUrns": [
            {"extensionUrnAnchor": a, "urn": f"extension:io.substrait:functions_{stem}"}
            for a, stem in stems.items()
        ],
        "extensions": [
            {"extensionFunction": {"extensionUrnReference": a, "functionAnchor": a, "name": name}}
            for a, name in functions.items()
        ],
        "relations": [{"root": {"names": [f"c{i}" for i in range(width)], "input": relation}}],
    }
    made: bytes = substrait_sql.upgrade(plan).SerializeToString()
    return made


def measured(kind: str, size: int) -> list[str]:
    """Megabytes of the plan and of its text, seconds to render it, and the peak memory of the process, in megabytes."""
    made = subprocess.run(
        [sys.executable, __file__, "plan", kind, str(size)], capture_output=True, check=True
    )
    command = [sys.executable, __file__, "render"]
    done = subprocess.run(command, input=made.stdout, capture_output=True, check=True)
    plan, text, seconds, peak = json.loads(done.stdout)
    return [f"{plan / 1e6:.2f}", f"{text / 1e6:.2f}", f"{seconds:.2f}", f"{peak:.0f}"]


def main() -> None:
    """Writes a plan, or renders the one that it reads."""
    if sys.argv[1] == "plan":
        sys.stdout.buffer.write(_plan(sys.argv[2], int(sys.argv[3])))
        return
    import substrait_sql

    data = sys.stdin.buffer.read()
    substrait_sql.to_sql(substrait_sql.demo.PLAN)  # what is imported, and read, once
    start = time.perf_counter()
    text = substrait_sql.to_sql(data)
    seconds = time.perf_counter() - start
    print(json.dumps([len(data), len(text), seconds, _peak()]))


def _peak() -> float:
    """The most megabytes that this process has held.

    The figure of `getrusage` outlives an `exec`: it would be that of the process which started this one, if more.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="utf-8").split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
