"""What `to_sql` writes for calls of the standard with more than one call: `python -m tests.tools.compositions`.

Printed are the texts that do not come back as the call by the lines alone; with `--write`, they become
`dialects/spark/lift/compositions.yaml`. The calls are those of the function cases: their functions, types of arguments
and options, over columns that can be NULL. A call whose text depends on constants is none of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import yaml
from google.protobuf.json_format import MessageToDict

import substrait_sql
from substrait_sql.dialect.files import official
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.lift.encode import composed
from substrait_sql.lift.encode.types import encoded
from substrait_sql.lift.schemas.of import catalog_of
from substrait_sql.lift.statement import Options, lift
from substrait_sql.lift.tree import Column, Lambda, Subquery, holds, walk
from substrait_sql.resources import DIALECTS
from substrait_sql.schema import types as ty
from substrait_sql.testing.cases import plans
from tests.conformance import read
from tests.support.declared import schema_of
from tests.support.plan_types import nullable, short_name, type_of
from tests.tools.way_back import OURS

PATH = DIALECTS / "spark" / "lift" / "compositions.yaml"
HEAD = """\
# What to_sql writes for calls of the standard that are more than one call in Spark: read from right to left by
# substrait_sql/lift/encode/composed.py. Printed by `python -m tests.tools.compositions --write`; do not edit.
"""
# Types that have numbers of their own, or that are others in Spark.
_NOT = ("user_defined", "func", "varchar", "fixed_char", "fixed_binary")
# What a text has to be the same for, to be that of all digits, or of all types.
_DIGITS = (
    (1, 0),
    (5, 5),
    (9, 2),
    (10, 0),
    (18, 0),
    (18, 17),
    (19, 4),
    (30, 8),
    (37, 10),
    (38, 0),
    (38, 38),
)
_TYPES = (
    "bool?",
    "i8?",
    "i32?",
    "i64?",
    "fp32?",
    "fp64?",
    "str?",
    "binary?",
    "date?",
    "pts<6>?",
    "iyear?",
    "dec<9,2>?",
)
_CALL = re.compile(r"\w+\(a\d+(?:, a\d+)*\)")
_SELECT = re.compile(r"SELECT\s+(.*)\s+AS f\s+FROM args\s*\Z", re.DOTALL)


def _arguments(case: read.Case) -> tuple[list[str | int], list[Any]] | None:
    """Enums and places of columns, and the columns' types; None for a case that this is not about."""
    given: list[str | int] = []
    types: list[Any] = []
    for each in case.call.args:
        if isinstance(each, read.Enum):
            given.append(each.value)
        elif isinstance(each, (read.Literal, read.Column)):
            kind = type_of(
                each.type if isinstance(each, read.Literal) else case.table.types[each.index]
            )
            if kind.WhichOneof("kind") in _NOT:
                return None
            given.append(len(types))
            types.append(nullable(kind))
        else:
            return None
    return given, types


def _plan(
    kind: str,
    urn: str,
    name: str,
    options: Mapping[str, str],
    given: list[str | int],
    types: list[Any],
    out: Any,
) -> dict[str, Any]:
    field = "directReference"
    arguments = [
        {"enum": a}
        if isinstance(a, str)
        else {"value": {"selection": {field: {"structField": {"field": a}}, "rootReference": {}}}}
        for a in given
    ]
    call = {
        "functionReference": 1,
        "arguments": arguments,
        "options": [{"name": k, "preference": [v]} for k, v in options.items()],
        "outputType": MessageToDict(nullable(out)),
    }
    table = {
        "names": [f"a{i}" for i in range(len(types))],
        "struct": {
            "types": [MessageToDict(x) for x in types],
            "nullability": "NULLABILITY_REQUIRED",
        },
    }
    rows = {"read": {"baseSchema": table, "namedTable": {"names": [composed.TABLE]}}}
    made: dict[str, Any] = {
        "project": {
            "common": {"emit": {"outputMapping": [len(types)]}},
            "input": rows,
            "expressions": [{"scalarFunction": call}],
        }
    }
    if kind == "aggregate":
        said = {"phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT"}
        made = {"aggregate": {"input": rows, "measures": [{"measure": {**call, **said}}]}}
    return {
        "version": {"minorNumber": 96},
        "extensionUrns": [{"extensionUrnAnchor": 1, "urn": urn}],
        "extensions": [
            {"extensionFunction": {"extensionUrnReference": 1, "functionAnchor": 1, "name": name}}
        ],
        "relations": [{"root": {"names": ["f"], "input": made}}],
    }


def _calls(plan: Any) -> list[str]:
    return [row.extension_function.name for row in plan.extensions]


def _line(case: read.Case) -> dict[str, Any] | None:
    found = _arguments(case)
    if found is None or case.kind not in ("scalar", "aggregate"):
        return None
    kind = case.kind
    given, types = found
    columns = iter(types)
    shorts = [None if isinstance(a, str) else next(columns) for a in given]
    anchor_name = _overload(kind, case.urns, case.call.name, shorts)
    if anchor_name is None:
        return None
    urn, name, out, known = anchor_name
    said = {k.lower(): v for k, v in case.options}
    try:
        rendered = substrait_sql.render(_plan(kind, urn, name, said, given, types, out))
        text = rendered.sql
        schema = schema_of(rendered)
        back = lift(text, catalog_of(schema), options=Options(plain=True))
    except SubstraitSqlError:
        return None
    body = _SELECT.match(text)
    options = next(
        (o for o in _complete(said, known) if _says(kind, urn, name, o, given, types, out, text)),
        None,
    )
    if body is None or options is None:
        return None
    if urn.endswith("functions_boolean"):
        # AND NOT within AND: one call of all the conditions says it better.
        return None
    if _calls(back) == [name] and substrait_sql.to_sql(back) == text:
        return None
    if kind == "aggregate" and OURS not in {u.urn for u in back.extension_urns}:
        # Sums and counts are known to more engines than sum0.
        return None
    fields = schema[(composed.TABLE,)]
    line = {
        **({"kind": kind} if kind == "aggregate" else {}),
        "stem": urn.rpartition(":")[2],
        "name": name,
        "options": options,
        "arguments": given,
        "columns": ", ".join(f"{f.name} {str(f.type).upper()}" for f in fields),
        "sql": " ".join(body[1].split()),
    }
    decimals = any(ty.kind(x) == "decimal" for x in types)
    if decimals and _CALL.fullmatch(" ".join(body[1].split())):
        # Spark takes its arguments for DOUBLE, which more engines do than know the function for decimals.
        return None
    found = [
        _text(kind, urn, name, options, given, each) for each in _variants(kind, urn, name, types)
    ]
    if found and all(x is not None and _SELECT.match(x)[1] == body[1] for x in found):
        line["general"] = True
    elif decimals:
        return None
    return _exact(line, out)


def _variants(kind: str, urn: str, name: str, types: list[Any]) -> Iterator[list[Any]]:
    """The types of the columns with other digits, and with other types for type parameters."""
    short, _, signature = name.partition(":")
    row = dict(official.impls(urn.rpartition(":")[2], kind, short))[signature]
    texts = official.parameters_of(row, len(types))
    if any("any" in text for text in texts):
        for given in map(type_of, _TYPES):
            found = [_for_any(text, given) or t for text, t in zip(texts, types, strict=True)]
            yield found
    elif {"iyear", "iday"} & set(signature.split("_")):
        # Spark's types of intervals have units, Substrait's have not.
        yield types
    elif "dec" in signature.split("_"):
        for place, _ in enumerate(_DIGITS):
            digits = iter(_DIGITS[place:] + _DIGITS[:place])
            other = iter(_DIGITS[place:] + _DIGITS[::-1])
            for each in (digits, other):
                yield [
                    nullable(type_of(f"dec<{','.join(map(str, next(each)))}>"))
                    if ty.kind(t) == "decimal"
                    else t
                    for t in types
                ]


def _for_any(text: str, kind: Any) -> Any:
    """The type that a parameter is with a type for what is any; None for one that is no such type."""
    if re.fullmatch(r"any\d*\??", text):
        return kind
    if re.fullmatch(r"list<any\d*\??>\??", text, re.IGNORECASE):
        out = type(kind)()
        out.list.type.CopyFrom(kind)
        out.list.nullability = 1
        return out
    return None


def _text(
    kind: str, urn: str, name: str, options: dict[str, str], given: Any, types: list[Any]
) -> str | None:
    """What is written for the call over columns of these types; None where it is refused."""
    short, _, signature = name.partition(":")
    own = [type(ty.boolean()).FromString(x.SerializeToString()) for x in types]
    out = official.returns(urn.rpartition(":")[2], kind, short, signature, own)
    if out is None:
        return None
    try:
        return substrait_sql.to_sql(
            _plan(kind, urn, name, options, given, types, plans.theirs(out))
        )
    except SubstraitSqlError:
        return None


def _complete(said: dict[str, str], known: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    """The options with each choice of those that are left open: a plan leaves none open that its text decides."""
    rest = [k for k in known if k not in said]
    for values in product(*(known[k] for k in rest)):
        yield {**said, **dict(zip(rest, values, strict=True))}


def _says(
    kind: str,
    urn: str,
    name: str,
    options: dict[str, str],
    given: Any,
    types: list[Any],
    out: Any,
    text: str,
) -> bool:
    try:
        return substrait_sql.to_sql(_plan(kind, urn, name, options, given, types, out)) == text
    except SubstraitSqlError:
        return False


def _overload(
    kind: str, urns: tuple[str, ...], name: str, types: list[Any]
) -> tuple[str, str, Any, Any] | None:
    shorts = ["req" if x is None else short_name(x) for x in types]
    own = [type(ty.boolean()).FromString(x.SerializeToString()) for x in types if x is not None]
    for urn in urns:
        stem = urn.rpartition(":")[2]
        for signature, impl in official.impls(stem, kind, name):
            if plans.fits(signature, impl, shorts):
                out = official.returns(stem, kind, name, signature, own)
                known = {k.lower(): v["values"] for k, v in (impl.get("options") or {}).items()}
                return (
                    None if out is None else (urn, f"{name}:{signature}", plans.theirs(out), known)
                )
    return None


def _exact(line: dict[str, Any], out: Any) -> dict[str, Any] | None:
    """The line if its text says the call and nothing else: one expression over all columns, of the call's type."""
    try:
        made = composed.lifted(line)
    except (SubstraitSqlError, AssertionError):
        return None
    tree = made.tree
    used = {id(e.attribute) for e in walk(tree) if isinstance(e, Column)}
    if holds(tree, Subquery) or used - _inner(tree) != {id(c) for c in made.columns}:
        return None
    root = composed.root_of(tree)
    given = type(ty.boolean()).FromString(out.SerializeToString())
    return (
        {"root": root, **line}
        if root and ty.same(given, encoded(tree.type, nullable=True))
        else None
    )


def _inner(tree: Any) -> set[int]:
    """The parameters of lambdas."""
    return {id(p) for e in walk(tree) if isinstance(e, Lambda) for p in e.parameters}


def lines() -> Iterator[dict[str, Any]]:
    """The lines of the file, each text once: the first options that say it."""
    seen: set[tuple[str, ...]] = set()
    for file in read.files():
        for case in read.cases(file):
            found = _line(case)
            if found is None:
                continue
            text = (found["name"] if "general" in found else found["columns"], found["sql"])
            if text not in seen:
                seen.add(text)
                yield found


def printed() -> str:
    """The file."""
    found = list(lines())
    general = {(x["name"], x["sql"]) for x in found if "general" in x}
    found = [x for x in found if "general" in x or (x["name"], x["sql"]) not in general]
    ordered = sorted(found, key=lambda x: (x["stem"], x["name"], str(x["options"]), x["sql"]))
    return HEAD + yaml.safe_dump(
        {"compositions": ordered}, sort_keys=False, width=84, allow_unicode=True
    )


if __name__ == "__main__":
    if "--write" in sys.argv:
        PATH.write_text(printed(), encoding="utf-8")
    else:
        print(printed())
