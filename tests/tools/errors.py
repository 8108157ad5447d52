"""The lists of codes in docs/errors.md: ``python -m tests.tools.errors --write`` prints them from ``codes.yaml``.

``problems`` holds that register against the code: every code that is raised is in it, every one in it is raised, and
none is raised for two problems. That is seen in two ways: by the kinds of error, and by the number of texts.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from substrait_sql.codes import register

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "errors.md"
KINDS = {
    "invalid": "invalid",
    "InvalidPlanError": "invalid",
    "refuse": "unsupported",
    "UnsupportedError": "unsupported",
    "DialectError": "dialect",
    "problem": "dialect",
    "bad": "dialect",
    "DecodeError": "decode",
    "ExecutionError": "execution",
    "PolicyError": "policy",
    "_violation": "policy",
    "SqlError": "sql",
    "ArgumentError": "argument",
    "error": "sql",
    "error_at": "sql",
    "note": "note",
    "_note": "note",
}
"""The kind of error that a call makes, by the name of what is called or of the class it is called on."""


class Raised(NamedTuple):
    """One place that gives a finding a code. text: what it says, with … for what only a plan can say."""

    code: str
    kind: str
    text: str
    place: str


def raised() -> list[Raised]:
    """All places, in the order of the code."""
    found: list[Raised] = []
    for path in sorted((ROOT / "substrait_sql").rglob("*.py")):
        found += _raised(
            ast.parse(path.read_text(encoding="utf-8")), path.relative_to(ROOT).as_posix()
        )
    return sorted(found)


def _raised(tree: ast.AST, path: str) -> Iterator[Raised]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        for i, code in enumerate(node.args):
            if isinstance(code, ast.Constant) and re.fullmatch(r"SS\d{4}", str(code.value)):
                place = f"{path}:{node.lineno}"
                yield Raised(str(code.value), _kind(node.func), _text(node.args[i + 1 :]), place)


def _kind(called: ast.expr) -> str:
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    owner = getattr(getattr(called, "value", None), "id", "")
    return KINDS.get(name, KINDS.get(owner, ""))


def _text(arguments: list[ast.expr]) -> str:
    match arguments[:1]:
        case [ast.Constant(value=str(text))]:
            return text
        case [ast.JoinedStr(values=values)]:
            text = "".join(str(p.value) if isinstance(p, ast.Constant) else "…" for p in values)
            return text if re.search(r"\w", text) else ""
    return ""


def problems() -> list[str]:
    """What the register and the code do not agree about."""
    known, found = register(), raised()
    names = [code.name for code in known.values()]
    says = [code.means for code in known.values()]
    written = {
        code
        for path in (ROOT / "substrait_sql").rglob("*.py")
        for code in re.findall(r"\bSS\d{4}\b", path.read_text(encoding="utf-8"))
    }
    out = [f"{code} is not in codes.yaml" for code in sorted(written - known.keys())]
    out += [f"nothing raises {code}" for code in known if code not in {r.code for r in found}]
    out += [f"two codes are called {name}" for name in sorted(set(names)) if names.count(name) > 1]
    out += [f"two codes mean: {text}" for text in sorted(set(says)) if says.count(text) > 1]
    by_text: dict[tuple[str, str], str] = {}
    for each in found:
        # A column that a plan does not have is another problem than one that SQL does not find.
        other = by_text.setdefault((each.code[:3], each.text), each.code)
        if each.text and other != each.code:
            out.append(f"{each.place}: {other} says this, too: {each.text}")
    return [*out, *(p for code in known for p in _two_problems(code, found))]


def _two_problems(code: str, found: list[Raised]) -> Iterator[str]:
    entry, mine = register()[code], [r for r in found if r.code == code]
    # A text that is put together elsewhere counts as one of its own.
    texts = {r.text or r.place for r in mine}
    if mine and entry.texts not in (len(texts), "any"):
        where = ", ".join(r.place for r in mine)
        yield (
            f"{code} has {len(texts)} texts, and {entry.texts} in codes.yaml ({where}): "
            f"do all of them say: {entry.means}? Then write the number; if not, take a new code"
        )
    kinds = {r.kind for r in mine if r.kind}
    if len(kinds) > 1 and kinds != set(entry.kinds):
        yield f"{code} is raised as {' and '.join(sorted(kinds))}: two problems, or `kinds` in codes.yaml"


def table(series: str) -> str:
    """The lines of the page for the codes that begin so."""
    entries = {code: entry for code, entry in register().items() if code.startswith(series)}
    kinds = {(r.code, r.kind): None for r in raised() if r.kind not in {"", "note"}}
    rows = [["code", "name", "what it says", "kind"], ["---"] * 4]
    for code, entry in entries.items():
        last = entry.do or ", ".join(k for c, k in kinds if c == code)
        rows.append([code, f"`{entry.name}`", entry.means.replace("|", "\\|"), last])
    if any(entry.do for entry in entries.values()):
        rows[0][-1] = "what to do"
    elif not any(row[-1] for row in rows[2:]):
        rows = [row[:-1] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def written(page: str) -> str:
    """The page with the lists of today."""
    return re.sub(
        r"(?s)<!-- codes (\w+): [^>]*-->.*?<!-- end -->",
        lambda m: (
            f"<!-- codes {m[1]}: python -m tests.tools.errors --write -->\n{table(m[1])}\n<!-- end -->"
        ),
        page,
    )


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    new = written(page)
    if "--write" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
        page = new
    found = [*problems(), *(["docs/errors.md is not current"] if new != page else [])]
    for line in found:
        print(line, file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
