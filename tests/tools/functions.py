"""What of Substrait's extension files is mapped and what is refused: `python -m tests.tools.functions`.

Every overload of every function is a line of dialects/spark/*.yaml or stands in dialects/spark/support/functions.yaml
with its reason; so is every value of every option. docs/functions.md is printed from both.

    python -m tests.tools.functions            what is neither mapped nor refused with a reason
    python -m tests.tools.functions --write    write docs/functions.md
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from sqlglot import exp

from substrait_sql.dialect import Argument, Call, load
from substrait_sql.dialect.files import official
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.resources import DIALECTS
from substrait_sql.schema import types as ty
from substrait_sql.schema.functions import named
from substrait_sql.testing.cases import plans
from substrait_sql.wire.path import ROOT
from tests.conformance import read
from tests.support.plan_types import short_name, type_of

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"
DATA = DIALECTS / "spark" / "support" / "functions.yaml"
KINDS = ("scalar", "aggregate", "window")
URN = "extension:io.substrait:"
_WIDTH = 110


@dataclass(frozen=True)
class Overload:
    """One implementation of a function. impl: as the extension file has it."""

    stem: str
    kind: str
    name: str
    signature: str
    impl: Any

    def __str__(self) -> str:
        return f"{self.stem} {self.kind} {self.name}:{self.signature}"

    def __hash__(self) -> int:
        return hash(str(self))


@dataclass(frozen=True)
class Refusal:
    """Overloads, or values of an option, that are refused. Names may be patterns."""

    file: str
    reason: str
    name: str = "*"
    signature: str = "*"
    option: str = ""
    values: tuple[str, ...] = ()

    def covers(self, overload: Overload) -> bool:
        return (
            fnmatchcase(overload.stem, self.file)
            and fnmatchcase(overload.name, self.name)
            and fnmatchcase(overload.signature, self.signature)
        )


@cache
def stems() -> tuple[str, ...]:
    """The official extension files that define functions."""
    folder = resources.files("substrait_extensions.extensions")
    names = sorted(
        p.name.removesuffix(".yaml") for p in folder.iterdir() if p.name.endswith(".yaml")
    )
    return tuple(n for n in names if any(f"{k}_functions" in official.extension(n) for k in KINDS))


@cache
def overloads() -> tuple[Overload, ...]:
    """All overloads of all functions."""
    return tuple(
        Overload(stem, kind, function["name"], official.signature(impl), impl)
        for stem in stems()
        for kind in KINDS
        for function in official.extension(stem).get(f"{kind}_functions", ())
        for impl in function["impls"]
    )


@cache
def mapped() -> dict[str, Any]:
    """The lines of the dialect, by overload."""
    return {
        f"{line.stem} {line.kind} {line.name}:{impl}": line
        for folder in load("spark").folders
        for document in folder.documents()
        for lines in document.lines.values()
        for line in lines
        for impl in line.impls
    }


def refusals(kind: str) -> list[Refusal]:
    """The refusals of the data: kind is ``overloads`` or ``values``."""
    rows = yaml.safe_load(DATA.read_text(encoding="utf-8"))[kind]
    return [Refusal(**{**row, "values": tuple(row.get("values", ()))}) for row in rows]


def unmapped() -> list[Overload]:
    """The overloads without a line."""
    return [o for o in overloads() if str(o) not in mapped()]


def undelivered() -> Iterator[tuple[Overload, str, str]]:
    """The values of options that a mapped overload cannot deliver."""
    for overload in overloads():
        line = mapped().get(str(overload))
        for option, row in (overload.impl.get("options") or {}).items() if line else ():
            deliverable = line.options.get(option.upper(), {})
            for value in map(str, row["values"]):
                if value.upper() not in deliverable:
                    yield overload, option, value


def missing() -> list[str]:
    """What is neither mapped nor refused with a reason."""
    whole, values = refusals("overloads"), refusals("values")
    found = [str(o) for o in unmapped() if not any(r.covers(o) for r in whole)]
    for overload, option, value in undelivered():
        if not any(r.covers(overload) and r.option == option and value in r.values for r in values):
            found.append(f"{overload} {option} = {value}")
    return found


def without_case(chosen: Sequence[str]) -> set[tuple[str, ...]]:
    """The mapped functions, and the values of their options, that no case with a known result uses."""
    functions: set[tuple[str, ...]] = set()
    for name in read.files():
        for case in read.cases(name):
            key = (case.urns[0].removeprefix(URN), case.call.name)
            functions.add(key)
            if case.expected != "UNDEFINED":
                functions |= {(*key, o.upper(), v.upper()) for o, v in case.options}
    found: set[tuple[str, ...]] = set()
    for overload in overloads():
        line = mapped().get(str(overload))
        if line is not None and overload.stem in chosen:
            key = (overload.stem, overload.name)
            found |= {key, *((*key, o, v) for o, values in line.options.items() for v in values)}
    return found - functions


def overloads_without_case() -> list[str]:
    """The mapped overloads that no case calls."""
    called: set[str] = set()
    for name in read.files():
        for case in read.cases(name):
            called.update(_called(case.call, case.kind, case))
    return [str(o) for o in overloads() if str(o) in mapped() and str(o) not in called]


def _called(call: read.Function, kind: str, case: read.Case) -> Iterator[str]:
    """The overloads of a call and of those in its arguments: the first that takes the types, as in a plan of it."""
    shorts = [_short(a, case) for a in call.args]
    found = (
        f"{urn.removeprefix(URN)} {kind} {call.name}:{signature}"
        for urn in case.urns
        for signature, impl in official.impls(urn.removeprefix(URN), kind, call.name)
        if None not in shorts and plans.fits(signature, impl, shorts)
    )
    yield from (f for f, _ in zip(found, (0,), strict=False))
    for argument in call.args:
        if isinstance(argument, read.Function):
            yield from _called(argument, "scalar", case)


def _short(argument: Any, case: read.Case) -> str | None:
    """The short name of an argument's type; None for a call, whose type the case does not say."""
    match argument:
        case read.Column():
            assert case.table is not None
            return short_name(type_of(case.table.types[argument.index]))
        case read.Enum():
            return "req"
        case read.Literal() | read.Lambda():
            return short_name(type_of(argument.type))
    return None


def stale() -> list[Refusal]:
    """The refusals that nothing needs."""
    lost, values = unmapped(), list(undelivered())
    return [r for r in refusals("overloads") if not any(r.covers(o) for o in lost)] + [
        r
        for r in refusals("values")
        if not all(
            any(r.covers(o) and r.option == n and v == x for o, n, x in values) for v in r.values
        )
    ]


# --- the page -------------------------------------------------------------------------------------


def page() -> str:
    """The text of docs/functions.md."""
    done = len(overloads()) - len(unmapped())
    out = [
        "# Functions",
        "",
        "Written by `python -m tests.tools.functions --write` from `dialects/spark/*.yaml`; do not edit.",
        "",
        textwrap.fill(
            f"{len({(o.stem, o.kind, o.name) for o in overloads()})} functions with {len(overloads())} overloads, "
            f"of which {done} have SQL. The SQL is that of a call with columns for arguments, without options; where "
            "Spark wants a constant there is one. Options that can be delivered follow it. A call with any other "
            "option, or for which none of its preferences can be delivered, is refused.",
            120,
        ),
    ]
    for stem, group in groupby(overloads(), lambda o: o.stem):
        out += [
            "",
            f"## {stem}",
            "",
            "| function | overloads | SQL | options |",
            "|---|---|---|---|",
        ]
        out += _rows(list(group))
    out += ["", "## Refused", "", "| what | why |", "|---|---|"]
    for r in refusals("overloads"):
        out.append(f"| {r.file} `{r.name}`{_only(r)} | {r.reason} |")
    for r in refusals("values"):
        values = ", ".join(r.values)
        out.append(f"| {r.file} `{r.name}`{_only(r)} with {r.option} = {values} | {r.reason} |")
    return "\n".join(out) + "\n"


def _only(refusal: Refusal) -> str:
    return "" if refusal.signature == "*" else f" over {refusal.signature}"


def _rows(found: list[Overload]) -> Iterator[str]:
    """A row per function and SQL."""
    seen: dict[tuple[str, str, str, str], list[str]] = {}
    for overload in found:
        for sql in _texts(overload):
            key = (overload.kind, overload.name, sql, _options(overload))
            seen.setdefault(key, []).append(overload.signature or "no arguments")
    for (kind, name, sql, options), signatures in seen.items():
        shown = name if kind == "scalar" else f"{name} ({kind})"
        listed = ", ".join(dict.fromkeys(signatures))
        yield f"| {shown} | {listed} | {sql} | {options} |"


def _options(overload: Overload) -> str:
    line = mapped().get(str(overload))
    if line is None:
        return ""
    return "; ".join(f"{n.lower()}: {', '.join(v)}" for n, v in line.options.items())


def _texts(overload: Overload) -> list[str]:
    """The SQL of an overload, once per value of its first enum argument that makes a difference."""
    if str(overload) not in mapped():
        return ["refused"]
    enums = [a["options"] for a in overload.impl.get("args", ()) if "options" in a]
    if not enums:
        return [_text(overload, [])]
    rest = [values[0] for values in enums[1:]]
    by_value = {value: _text(overload, [value, *rest]) for value in enums[0]}
    if len(set(by_value.values())) == 1:
        return [next(iter(by_value.values()))]
    return [f"{value}: {sql}" for value, sql in by_value.items()]


def _text(overload: Overload, enums: list[str]) -> str:
    """The SQL of a call: with columns, or with constants where Spark wants those."""
    why = ""
    for columns in (99, 1, 0):
        for other in (False, True):
            try:
                built = getattr(load("spark"), overload.kind)(
                    _call(overload, enums, columns, other)
                )
            except SubstraitSqlError as error:
                why = why or error.diagnostics[0].message
                continue
            sql = built.sql.sql("spark", normalize_functions=False).replace("|", "\\|")
            return f"`{sql if len(sql) < _WIDTH * 3 else sql[: _WIDTH * 3] + ' …'}`"
    return why.replace("|", "\\|")


def _call(overload: Overload, enums: list[str], columns: int, other: bool) -> Call:
    """A call whose first arguments are columns. other: of types that are the second guess."""
    arguments: list[Argument] = []
    left = list(enums)
    args = overload.impl.get("args", ())
    for i, arg in enumerate([*args, *args[-1:]] if "variadic" in overload.impl else args):
        if "options" in arg:
            arguments.append(Argument(enum=left.pop(0)))
            continue
        t = _type(official.short(str(arg.get("value", "any"))), other)
        name = str(arg.get("name") or "xyzuvw"[i])
        node: exp.Expression = exp.column(name if len(args) > i else f"{name}{i}")
        if i >= columns or arg.get("constant"):
            text = ty.kind(t) in ("string", "varchar", "fixed_char")
            node = exp.Literal.string("a") if text else exp.Literal.number(2)
        arguments.append(Argument(sql=node, type=t))
    function = named(URN + overload.stem, f"{overload.name}:{overload.signature}")
    return Call(function, arguments, [], None, ROOT)


def _type(short: str, other: bool) -> Any:
    plain = {v: k for k, v in ty.SHORT.items()}
    match short:
        case "dec":
            return ty.decimal(15, 0 if other else 2)
        case "vchar" | "fchar":
            return getattr(ty, {"vchar": "varchar", "fchar": "fixed_char"}[short])(9)
        case "fbin":
            return ty.fixed_binary(9)
        case "list":
            return ty.list_(ty.i64())
        case "map":
            return ty.map_(ty.string(), ty.i64())
        case "any" | "func" | "struct":
            return ty.fp64() if other else ty.i64()
    if short.startswith("u!"):
        return ty.user_defined(short[2:])
    name = {"bool": "boolean"}.get(plain[short], plain[short])
    return getattr(ty, name)()


def main() -> int:
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    lost = missing()
    print(*lost, sep="\n")
    print(
        f"{len(overloads())} overloads, {len(unmapped())} without SQL, {len(lost)} gaps without a reason"
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
