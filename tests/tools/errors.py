"""The list of the 2xxx errors: ``python -m tests.tools.errors --write`` puts it into docs/errors.md.

It is read from the code: the text at the place where an error is raised, with … for what only a plan can say.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "errors.md"
BEGIN, END = "<!-- 2xxx: python -m tests.tools.errors --write -->", "<!-- 2xxx end -->"
KINDS = {
    "invalid": "invalid",
    "InvalidPlanError": "invalid",
    "refuse": "unsupported",
    "UnsupportedError": "unsupported",
    "DialectError": "dialect",
}


def found() -> dict[str, list[tuple[str, str]]]:
    """Each code with its kinds and texts, in the order of the code."""
    out: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((ROOT / "substrait_sql").rglob("*.py")):
        for code, kind, text in _raised(ast.parse(path.read_text(encoding="utf-8"))):
            if (kind, text) not in out.setdefault(code, []):
                out[code].append((kind, text))
    return dict(sorted(out.items()))


def _raised(tree: ast.AST) -> Iterator[tuple[str, str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        code = node.args[0]
        if not (isinstance(code, ast.Constant) and str(code.value).startswith("SS2")):
            continue
        name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        owner = getattr(getattr(node.func, "value", None), "id", "")
        text = _text(node.args[1])
        if text:
            yield code.value, KINDS.get(name, KINDS.get(owner, "")), text


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        parts = [p.value if isinstance(p, ast.Constant) else "…" for p in node.values]
        return "".join(map(str, parts))
    return ""


def table() -> str:
    """The lines of the page."""
    lines = ["| code | | what it says |", "|---|---|---|"]
    for code, texts in found().items():
        kinds = ", ".join(dict.fromkeys(kind for kind, _ in texts if kind))
        said = "; ".join(dict.fromkeys(text.replace("|", "\\|") for _, text in texts))
        lines.append(f"| {code} | {kinds} | {said} |")
    return "\n".join(lines)


def written(page: str) -> str:
    """The page with the list of today."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    new = written(page)
    if "--write" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != page:
        print(
            "docs/errors.md is not current: python -m tests.tools.errors --write", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
