"""Whether the lines of a user's dialect agree with the extension files they are about."""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.custom import templates as own_template
from substrait_sql.dialect.facts import FactError
from substrait_sql.dialect.files import json_schema
from substrait_sql.dialect.files.extension_file import KINDS, schema_of
from substrait_sql.dialect.line import MAIN
from substrait_sql.dialect.target import OF_THE_DIALECT
from substrait_sql.dialect.template import GRAMMAR, RESULT
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from substrait_sql.dialect.custom.lines import OwnLine
    from substrait_sql.dialect.files.yaml_file import YamlFile
    from substrait_sql.errors import Diagnostic

At = tuple[str | int, ...]
# What is wrong, and the keys behind those of the line.
Found = tuple[Any, ...]
_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_OPTIONS = {"type": "object", "additionalProperties": {"type": "object"}}
_LINE: Mapping[str, Any] = {
    "additionalProperties": False,
    "properties": {
        **dict.fromkeys(
            ("sql", "empty", "returns", "rule", "values", "flags", "refused", "description"), _TEXT
        ),
        **dict.fromkeys(("args", "integers", "strict"), _TEXTS),
        **{key: {"type": "object", "additionalProperties": _TEXT} for key in ("enum", "refuses")},
        "deterministic": {"type": "boolean"},
        "facts": {"type": "array"},
        "options": _OPTIONS,
    },
}
# Keys of a dialect that say what to refuse, which would be passed over.
_WITHOUT_EFFECT = ("supported_relations", "supported_expressions", "supported_execution_behavior")
_NAME = re.compile(r"(?:[A-Za-z_]\w*|`[^`$]+`)(?:\.(?:[A-Za-z_]\w*|`[^`$]+`)){0,2}", re.ASCII)


def document_problems(file: YamlFile) -> Iterator[Diagnostic]:
    """What breaks the official schema of dialect documents, and what has no effect here."""
    schema = schema_of("dialects", "dialect_schema.yaml")
    for at, message in json_schema.problems(file.raw, schema, schema):
        hint = ""
        if at == ("extends",):
            hint = "write metadata: {extends: spark}"
        yield file.problem("SS2404", message, at, hint)
    for key in _WITHOUT_EFFECT:
        if key in file.raw:
            yield file.problem("SS2404", f"{key} has no effect here", [key], "leave it out")
    if not file.label.endswith(f"/{MAIN}"):
        found = file.raw.get("metadata")
        metadata = found if isinstance(found, dict) else {}
        for key in OF_THE_DIALECT:
            if key in metadata:
                what = f"{key} has no effect here"
                yield file.problem("SS2404", what, ["metadata", key], f"say it in {MAIN}")
    for kind in KINDS:
        for i, row in _rows(file, kind):
            for at, message in json_schema.problems(row.get("metadata", {}), _LINE, _LINE):
                where = [f"supported_{kind}_functions", i, "metadata", *at]
                yield file.problem("SS2404", message, where)


def _rows(file: YamlFile, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    found = file.raw.get(f"supported_{kind}_functions")
    for i, row in enumerate(found if isinstance(found, list) else ()):
        if isinstance(row, dict):
            yield i, row


def line_problems(line: OwnLine, file: YamlFile, at: At) -> Iterator[Diagnostic]:
    """What of a line does not agree with its overloads, or cannot be written. Its source and name are known."""

    def bad(code: str, message: str, *keys: str | int, hint: str = "") -> Diagnostic:
        return file.problem(code, message, (*at, *keys), hint)

    unknown = [impl for impl in line.impls if impl not in line.known]
    for impl in unknown:
        known = ", ".join(repr(k) for k in line.known)
        what = f"the extension file has no overload {line.name}:{impl}; it has {known}"
        yield bad("SS2406", what, "supported_impls", line.impls.index(impl))
    if unknown:
        return
    for message, *keys in _shape(line):
        yield bad("SS2406", message, *keys)
    for message, *keys in (*_options(line), *_names(line), *_code(line), *_facts(line)):
        yield bad("SS2406", message, *keys)
    unwritable = [*_spelling(line), *_templates(line)]
    for message, *keys in unwritable:
        yield bad("SS2407", message, *keys)
    if not unwritable and _lacks_a_row(line):
        what = "over no rows Spark has no row for a function of the session, and NULL is written"
        yield bad("SS2406", f"{what}: over_nothing can be NULL only", "metadata", "facts")


def _shape(line: OwnLine) -> Iterator[Found]:
    """What the overloads of one line have to have in common, and kinds of arguments that have no SQL."""
    if "required_options" in line.row:
        yield (
            "required_options has no effect here; list what can be delivered in options",
            "required_options",
        )
    if len({"variadic" in row for row in line.rows}) > 1 or (
        "variadic" in line.row and "variadic" not in line.rows[0]
    ):
        yield (
            "only some of these overloads take any number of arguments: a line for each",
            "supported_impls",
        )
    if any("type" in a for row in line.rows for a in row.get("args", ())):
        yield "an overload with a type for an argument has no SQL", "supported_impls"
    enums = {sum("options" in a for a in row.get("args", ())) for row in line.rows}
    if "rule" not in line.metadata and enums != {0}:
        if enums != {1}:
            yield (
                "SQL is chosen by one enumeration argument only: a line for each overload",
                "supported_impls",
            )
        elif "enum" not in line.metadata:
            yield (
                "the overload has an enumeration argument: say in enum what to write for each value",
                "metadata",
            )
    elif "enum" in line.metadata and enums == {0}:
        yield "the overload has no enumeration argument", "metadata", "enum"
    if line.texts and "args" not in line.metadata:
        names = {tuple(a.get("name") for a in row.get("args", ())) for row in line.rows}
        if len(names) > 1 or None in next(iter(names)):
            yield (
                "the overloads name their arguments differently, or not at all: give args",
                "supported_impls",
            )
    for row in line.rows:
        if "args" in line.metadata and len(row.get("args", ())) != len(line.args):
            yield "args names another number of arguments than the overload has", "metadata", "args"
            break


def _options(line: OwnLine) -> Iterator[Found]:
    known: dict[str, set[str]] = {}
    for row in line.rows:
        for name, option in row.get("options", {}).items():
            known.setdefault(name.upper(), set()).update(str(v).upper() for v in option["values"])
    for name, values in (line.metadata.get("options") or {}).items():
        at = "metadata", "options", name
        if name.upper() not in known:
            yield f"the extension file has no option {name} for this function", *at
            continue
        for value, how in values.items():
            if str(value).upper() not in known[name.upper()]:
                listed = ", ".join(sorted(known[name.upper()]))
                yield f"the option {name} has no value {value}; it has {listed}", *at, value
            if not (how is True or isinstance(how, str) or _is_rule(how)):
                yield "write true, or a template", *at, value
    for value in line.metadata.get("enum") or ():
        options = {
            str(o).upper()
            for r in line.rows
            for a in r.get("args", ())
            for o in a.get("options", ())
        }
        if str(value).upper() not in options:
            yield f"{value} is not one of {', '.join(sorted(options))}", "metadata", "enum", value


def _facts(line: OwnLine) -> Iterator[Found]:
    try:
        assert line.facts is not None
    except FactError as error:
        yield str(error), "metadata", "facts", *([] if error.index is None else [error.index])


def _lacks_a_row(line: OwnLine) -> bool:
    """Whether an aggregate without keys would be NULL where the line says that it is something else."""
    stated = line.metadata.get("facts", ())
    numbers = [x for x in stated if isinstance(x, dict) and x.get("over_nothing") is not None]
    return bool(numbers) and line.registered


def _is_rule(how: Any) -> bool:
    return isinstance(how, dict) and set(how) == {"rule"}


def _names(line: OwnLine) -> Iterator[Found]:
    for key in ("integers", "strict"):
        for i, name in enumerate(line.metadata.get(key, ())):
            if name not in line.value_names:
                yield f"there is no argument {name}", "metadata", key, i
    text = line.metadata.get("returns")
    if text is not None and not results.is_known(text):
        yield f"{text!r} is not a type that a result is said to be of", "metadata", "returns"


def _code(line: OwnLine) -> Iterator[Found]:
    """Rules are functions of this package, and no others."""
    names: list[tuple[Any, ...]]
    names = [(line.metadata["rule"], "rule")] if "rule" in line.metadata else []
    for option, values in (line.metadata.get("options") or {}).items():
        names += [
            (how["rule"], "options", option, value)
            for value, how in values.items()
            if _is_rule(how)
        ]
    for name, *keys in names:
        module, _, function = str(name).partition(".")
        if function not in _functions(module, {"call": "Call", "line": "Line"}):
            yield f"there is no rule {name}", "metadata", *keys
    name = line.metadata.get("values")
    over_values = {"call": "Call", "line": "Line", "values": "Node"}
    if name is not None and name not in _functions("values", over_values):
        yield f"there is no function {name} over an array of values", "metadata", "values"


def _functions(module: str, parameters: dict[str, str]) -> frozenset[str]:
    if not re.fullmatch(r"[a-z]+", module):
        return frozenset()
    path = f"substrait_sql.dialect.rules.{module}"
    try:
        found = importlib.import_module(path)
    except ModuleNotFoundError:
        return frozenset()
    return frozenset(
        name
        for name, f in inspect.getmembers(found, inspect.isfunction)
        if f.__module__ == path
        and not name.startswith("_")
        and f.__annotations__ == {**parameters, "return": "Result"}
    )


def _spelling(line: OwnLine) -> Iterator[Found]:
    """Whether the operator or the function that the line is written as can be one."""
    system = line.row.get("system_metadata") or {}
    name, notation = str(system.get("name", line.name)), system.get("notation", "FUNCTION")
    at = ("system_metadata", "name") if "name" in system else ("name",)
    counts = {len(parts) for parts in line.parsed}
    if notation in ("INFIX", "PREFIX"):
        known = operators.INFIX if notation == "INFIX" else operators.PREFIX
        if name.lower() not in known:
            yield f"there is no such operator as {name}; there are {' '.join(known)}", *at
        if line.kind != "scalar":
            yield f"{line.kind} functions are no operators", *at
        elif counts != {2 if notation == "INFIX" else 1} and line.variadic is None:
            yield "the overload has another number of arguments than the operator", *at
    elif notation == "POSTFIX":
        yield "Spark has no such operators: write a template, metadata: {sql: …}", "system_metadata"
    elif line.spelled:
        if not _NAME.fullmatch(name):
            yield f"{name!r} cannot be the name of a function; put odd ones in backticks", *at
        else:
            for message in own_template.called(name, line.kind, line.builtins):
                yield message, *at


def _templates(line: OwnLine) -> Iterator[Found]:
    names = [n for n in line.value_names if n != RESULT]
    for keys, text in line.texts.items():
        at = ("metadata", *keys)
        known = [*names, RESULT] if keys[0] == "options" else [] if keys == ("empty",) else names
        kind = "scalar" if keys == ("empty",) or f":{RESULT}" in text else line.kind
        found = list(own_template.problems(text, known, kind, line.builtins))
        for message in found:
            yield message, *at
        if line.variadic is not None and keys != ("empty",):
            yield (
                "a template has no words for any number of arguments: write a function or an operator",
                *at,
            )
        if not found and keys[0] in ("sql", "enum"):
            missing = [n for n in names if not re.search(rf"(?<!:):{n}\b", text)]
            if missing:
                yield f"the template does not use :{', :'.join(missing)}", *at


_TYPE_TEXT = re.compile(r"[A-Za-z][\w<>(),: `]*", re.ASCII)


def is_type(text: str) -> bool:
    """Whether this is the text of one type of Spark."""
    if not _TYPE_TEXT.fullmatch(text):
        return False
    try:
        found = releases.parse_one(f"CAST(NULL AS {text})", GRAMMAR)
    except SqlglotError:
        return False
    kind = found.args.get("to") if isinstance(found, exp.Cast) else None
    return (
        isinstance(kind, exp.DataType)
        and not list(kind.find_all(exp.Column, exp.Placeholder))
        and (not any(t.this is exp.DataType.Type.USERDEFINED for t in kind.find_all(exp.DataType)))
    )


def similar(name: str, known: Sequence[str]) -> str:
    """A hint for a name that is not known."""
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    return (
        f"did you mean {' or '.join(close)}?"
        if close
        else f"there are: {', '.join(known) or 'none'}"
    )
