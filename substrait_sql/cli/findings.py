"""What ``check`` finds, for machines: JSON, annotations of GitHub's workflows, SARIF.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from substrait_sql.errors import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from substrait_sql.cli.inputs import Input
    from substrait_sql.errors import Diagnostic

_PLACE = re.compile(r"line (\d+), column (\d+)")
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic of one file. file: as it was given, empty for stdin."""

    file: str
    diagnostic: Diagnostic

    @property
    def place(self) -> tuple[int, int] | None:
        """Line and column, from 1, in a text; a plan has a path instead."""
        found = _PLACE.fullmatch(self.diagnostic.path)
        return (int(found[1]), int(found[2])) if found else None

    @property
    def text(self) -> str:
        """The message, where in the plan, and what to do."""
        said = self.diagnostic
        lines = [said.message]
        if said.path and self.place is None:
            lines.append(f"at {said.path}")
        if said.hint:
            lines.append(f"hint: {said.hint}")
        return "\n".join(lines)


def findings(item: Input, diagnostics: Iterable[Diagnostic]) -> list[Finding]:
    """The diagnostics of one input."""
    file = item.plan.as_posix() if isinstance(item.plan, Path) else ""
    return [Finding(file, d) for d in diagnostics]


def _json(found: Sequence[Finding]) -> str:
    return json.dumps([_plain(f) for f in found], indent=2, ensure_ascii=False)


def _plain(found: Finding) -> dict[str, Any]:
    said = found.diagnostic
    line, column = found.place or (None, None)
    return {
        "file": found.file,
        "severity": said.severity.name.lower(),
        "code": said.code,
        "name": said.name,
        "message": said.message,
        "path": said.path,
        "line": line,
        "column": column,
        "hint": said.hint,
    }


def _github(found: Sequence[Finding]) -> str:
    return "\n".join(map(_command, found))


def _command(found: Finding) -> str:
    line, column = found.place or (1, 1)
    properties = {"file": found.file, "line": line, "col": column, "title": found.diagnostic.code}
    said = ",".join(f"{k}={_escaped(str(v), ':,')}" for k, v in properties.items() if v)
    return f"::{_COMMANDS[found.diagnostic.severity]} {said}::{_escaped(found.text)}"


def _escaped(text: str, more: str = "") -> str:
    """Without what would end the command, or begin another."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)


def _sarif(found: Sequence[Finding]) -> str:
    from substrait_sql import __version__

    codes = {f.diagnostic.code: f.diagnostic.name for f in found}
    driver = {
        "name": "substrait-sql",
        "version": __version__,
        "rules": [{"id": code, "name": name} for code, name in sorted(codes.items())],
    }
    run = {"tool": {"driver": driver}, "results": [_result(f) for f in found]}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _result(found: Finding) -> dict[str, Any]:
    line, column = found.place or (1, 1)
    location: dict[str, Any] = {}
    if found.file:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": quote(found.file)},
            "region": {"startLine": line, "startColumn": column},
        }
    if found.diagnostic.path and found.place is None:
        location["logicalLocations"] = [{"fullyQualifiedName": found.diagnostic.path}]
    return {
        "ruleId": found.diagnostic.code,
        "level": _LEVELS[found.diagnostic.severity],
        "message": {"text": found.text},
        "locations": [location] if location else [],
    }


FORMATS: dict[str, Callable[[Sequence[Finding]], str]] = {
    "json": _json,
    "github": _github,
    "sarif": _sarif,
}
