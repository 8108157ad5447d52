"""What becomes of Spark's own functions in plans: ``python -m tests.tools.spark_functions [--write]``.

--write prints `dialects/spark/extensions/spark.yaml`, the extension file of our own functions, and the support table
docs/spark_functions.md; without it, exit 1 if one of them is not current.

The extension file is printed from the signatures (`substrait_sql.lift.encode.own`). The table comes from calls that are
made up from the signatures and lifted: what the plan then calls.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import yaml

import substrait_sql
from substrait_sql.dialect import load
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.lift.encode import own
from substrait_sql.lift.functions import OF_FILES, WITHOUT_WORD
from substrait_sql.lift.typing.table import Signature, known
from substrait_sql.lift.typing.types import SparkType
from substrait_sql.resources import DIALECTS

PAGE = Path(__file__).parents[2] / "docs" / "spark_functions.md"
EXTENSION = DIALECTS / "spark" / "extensions" / "spark.yaml"
OPERATORS = DIALECTS / "spark" / "spark_functions.yaml"
URN = "extension:substrait_sql:spark"
DOCUMENTATION = "https://spark.apache.org/docs/latest/api/sql/#"
STANDARD, COMPOSED, OWN, REFUSED = "standard", "composed", "own extension", "refused"
KINDS = ("scalar", "aggregate", "window")
_TRIES, _MOST = 150, 30_000
_COLUMNS = {
    "i": "INT", "s": "STRING", "f": "DOUBLE", "d": "DECIMAL(10,2)", "b": "BOOLEAN", "a": "DATE", "l": "BIGINT",
    "arr": "ARRAY<INT>", "z": "TIMESTAMP", "n": "TIMESTAMP_NTZ", "m": "MAP<STRING,INT>", "y": "BINARY", "g": "FLOAT",
    "st": "STRUCT<p: INT, q: STRING>", "texts": "ARRAY<STRING>", "arrs": "ARRAY<ARRAY<INT>>", "k": "TINYINT",
    "h": "SMALLINT", "doubles": "ARRAY<DOUBLE>", "structs": "ARRAY<STRUCT<p: STRING, q: INT>>",
    "iv": "INTERVAL DAY TO SECOND",
    "floats": "ARRAY<FLOAT>", "longs": "ARRAY<BIGINT>", "tm": "TIME(6)",
}  # fmt: skip
_CONSTANTS = (
    "1",
    "0.5",
    "'a'",
    "'year'",
    "'a INT'",
    "true",
    "'hex'",
    "'YEAR'",
    "'$.a'",
    "'interval'",
)
# Values of types that no column of a plan has.
_MADE = (
    "parse_json(s)",
    "st_geomfromwkb(y)",
    "st_geogfromwkb(y)",
    "make_interval(1)",
    "CAST(z AS TIMESTAMP_LTZ(9))",
)
_LAMBDAS = ("x -> x", "x -> true", "(x, y) -> x", "(x, y) -> true", "(x, y, w) -> y", "(x, y) -> 0")
_OF_TYPE = {
    "int": ("i", "1"), "bigint": ("l", "1L"), "string": ("s", "'a'"), "double": ("f", "0.5D"), "boolean": ("b", "true"),
    "date": ("a",), "binary": ("y",), "timestamp": ("z",), "timestamp_ntz": ("n",), "float": ("g",),
}  # fmt: skip


@cache
def builtins() -> dict[str, str]:
    """The names of Spark's functions with their kinds."""
    return dict(load("spark").builtins.kinds)


def declared() -> Iterator[tuple[str, str]]:
    """The functions of our extension with their kinds: all but those that make rows and that tell of files."""
    for name, kind in sorted(load("spark").builtins.kinds.items()):
        if kind in KINDS and known(name) is not None and name not in OF_FILES:
            yield name, kind


def _implementation(impl: own.Impl, line: Signature) -> dict[str, Any]:
    made: dict[str, Any] = {
        "args": [{"name": f"x{i}", "value": t} for i, t in enumerate(impl.args, 1)]
    }
    if impl.least is not None:
        made["variadic"] = {"min": impl.least, "parameterConsistency": "INCONSISTENT"}
    if line.session:
        made["sessionDependent"] = True
    if not line.deterministic:
        made["deterministic"] = False
    if impl.nullability != "MIRROR":
        made["nullability"] = impl.nullability
    made["return"] = impl.returns
    return made


def _function(name: str, kind: str) -> dict[str, Any]:
    line = known(name)
    assert line is not None
    impls = [_implementation(i, line) for i in own.implementations(name)]
    if kind == "aggregate":
        impls = [{**i, "decomposable": "NONE"} for i in impls]
    where = name if name[:1].isalpha() else ""
    return {"name": name, "description": f"Spark's {name}: {DOCUMENTATION}{where}", "impls": impls}


def _operators(kind: str) -> list[dict[str, Any]]:
    rows = yaml.safe_load(OPERATORS.read_text(encoding="utf-8"))[f"supported_{kind}_functions"]
    made = []
    for row in rows:
        if row["name"] == "window":
            # Declared by its signature: the line only says more of it.
            continue
        spelt = (row.get("system_metadata") or {}).get("name", row["name"])
        count = len(row["supported_impls"][0].split("_"))
        args = [{"name": f"x{i}", "value": f"any{i}"} for i in range(1, count + 1)]
        impl = {"args": args, "nullability": "DECLARED_OUTPUT", "return": "any?"}
        if kind == "aggregate":
            impl["decomposable"] = "NONE"
        said = row["metadata"].get("sql", spelt)
        page = "operators" if kind == "scalar" else "functions"
        text = f"Spark's {said}: https://spark.apache.org/docs/latest/sql-ref-{page}.html"
        made.append({"name": row["name"], "description": text, "impls": [impl]})
    return made


def extension() -> dict[str, Any]:
    """The document of the extension file."""
    operators = {kind: _operators(kind) for kind in KINDS}
    taken = {row["name"] for rows in operators.values() for row in rows}
    out: dict[str, Any] = {
        "urn": URN,
        "description": "Functions of Spark 4.3 that Substrait's own extensions have no word for, by Spark's names.",
    }
    for kind in KINDS:
        rows = [_function(n, k) for n, k in declared() if k == kind and n not in taken]
        out[f"{kind}_functions"] = [*operators[kind], *rows]
    return out


def extension_text() -> str:
    """The extension file."""
    found = extension()
    lines = [
        "# Printed from dialects/spark/signatures: python -m tests.tools.spark_functions --write",
        "%YAML 1.2", "---", f"urn: {found['urn']}", f"description: {found['description']}",
    ]  # fmt: skip
    lines = [lines[1], lines[2], lines[0], *lines[3:]]
    for kind in KINDS:
        lines.append(f"{kind}_functions:")
        for row in found[f"{kind}_functions"]:
            lines += [
                f"- name: {_flow(row['name'])}",
                f"  description: {_flow(row['description'])}",
                "  impls:",
            ]
            lines += [f"  - {_flow(impl)}" for impl in row["impls"]]
    return "\n".join(lines) + "\n"


def _flow(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=70)
    return text.removesuffix("...\n").strip().replace("\n", "\n   ")


@dataclass(frozen=True)
class Row:
    """What becomes of a function: the kind, and the standard's call or the reason."""

    name: str
    what: str
    how: str


def _candidates(line: Signature, place: int) -> Sequence[str]:
    if place + 1 in line.lambdas:
        return _LAMBDAS
    if place + 1 in line.within and isinstance(line.within[place + 1][0], str):
        return [f"'{line.within[place + 1][0]}'"]
    expected = line.expected(place)
    constant = place + 1 in line.constant
    if isinstance(expected, SparkType):
        if expected.kind in _OF_TYPE:
            found = _OF_TYPE[expected.kind]
            return (*found[-1:], *_CONSTANTS) if constant else found
        if str(expected).startswith("array"):
            return ("texts", "arr", "doubles", "floats", "longs")
    return (*_CONSTANTS, "arr", "doubles") if constant else (*_COLUMNS, *_CONSTANTS[:5], *_MADE)


def calls(line: Signature, name: str, kind: str) -> Iterator[str]:
    """Calls of a function that might be right: those of each count of arguments in turn."""
    over = " OVER (ORDER BY i)" if kind == "window" else ""
    for each in (line, *line.others):
        most = len(each.args) if each.variadic is None else max(len(each.args), each.least, 1)
        for count in range(min(each.least, most), most + 1):
            choices = [_candidates(each, i) for i in range(count)]
            drawn = list(islice(product(*choices), _MOST))
            Random(name).shuffle(drawn)
            for given in drawn[:_TRIES]:
                yield f"{name}({', '.join(given)}){over}"
            for one in (*_COLUMNS, *_MADE):
                yield f"{name}({', '.join([one] * count)}){over}"


def _generator(name: str) -> Row:
    if name.startswith("variant"):
        return Row(name, REFUSED, "Substrait has no type for VARIANT")
    if name == "stack":
        return Row(name, COMPOSED, "each row several times, as often as the text says")
    return Row(name, OWN, "a relation that makes rows of the elements of a value")


def row_of(name: str, kind: str) -> Row:
    """What becomes of a function of Spark's."""
    line = known(name)
    if kind == "generator":
        return _generator(name)
    if name == "cast":
        return Row(name, STANDARD, "the cast of a plan")
    if line is None:
        return Row(name, REFUSED, WITHOUT_WORD[name])
    if name in OF_FILES:
        return Row(name, REFUSED, "it tells of files: a plan reads tables")
    best: Row | None = None
    why = ""
    for call in calls(line, name, kind):
        try:
            plan = substrait_sql.to_plan(f"SELECT {call} AS c FROM t", schema={"t": _COLUMNS})
        except SubstraitSqlError as error:
            found = str(error).partition("\n")[0].partition(" ")[2]
            why = found if not why or "Substrait" in found or "a plan" in found else why
            continue
        row = _called(name, plan)
        if best is None or _ORDER.index(row.what) < _ORDER.index(best.what):
            best = row
        if best.what == STANDARD:
            break
    best = best or Row(name, REFUSED, why)
    return best if line.deterministic else replace(best, how=f"not deterministic: {line.why}")


_ORDER = (STANDARD, COMPOSED, OWN, REFUSED)


def _called(name: str, plan: Any) -> Row:
    urns = {u.extension_urn_anchor: u.urn for u in plan.extension_urns}
    found = [
        (
            urns[e.extension_function.extension_urn_reference],
            e.extension_function.name.partition(":")[0],
        )
        for e in plan.extensions
    ]
    if any(urn == URN for urn, _ in found):
        return Row(name, OWN, "")
    words = [
        f"`{urn.removeprefix('extension:io.substrait:functions_')}` {called}"
        for urn, called in found
    ]
    if len(words) == 1:
        return Row(name, STANDARD, words[0])
    return Row(name, COMPOSED, ", ".join(words) or "expressions that are no calls")


def rows() -> list[Row]:
    """What becomes of all functions."""
    return [row_of(name, kind) for name, kind in sorted(builtins().items())]


def page(found: Sequence[Row]) -> str:
    """The support table."""
    counts = Counter(row.what for row in found)
    lines = [
        "# Spark's functions in plans", "",
        "What `to_plan` makes of each function that Spark 4.3 has by itself. *standard*: a call of Substrait's own",
        "extensions for some arguments at least; for others, and for *own extension*, a call of",
        f"`{URN}` (`dialects/spark/extensions/spark.yaml`), which `standard_only=True` refuses.",
        "*composed*: several calls, or expressions of Substrait that are no calls.", "",
        f"Of {len(found)} functions {counts[STANDARD]} are standard, {counts[COMPOSED]} composed,",
        f"{counts[OWN]} of our own extension, {counts[REFUSED]} refused.", "",
        "Printed by `python -m tests.tools.spark_functions --write`.", "",
        "| function | | as, or why not |", "|---|---|---|",
    ]  # fmt: skip
    lines += [
        f"| `{r.name.replace('|', chr(92) + '|')}` | {r.what} | {r.how.replace('|', chr(92) + '|')} |"
        for r in found
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    wanted = {EXTENSION: extension_text(), PAGE: page(rows())}
    if "--write" in sys.argv:
        for path, text in wanted.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    old = [
        p.name
        for p, text in wanted.items()
        if not p.is_file() or p.read_text(encoding="utf-8") != text
    ]
    if old:
        print(
            f"not current: {', '.join(old)}: python -m tests.tools.spark_functions --write",
            file=sys.stderr,
        )
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
