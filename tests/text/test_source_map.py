"""Where the nodes of a plan stand in its text: `Rendered.spans`. The plans are all those of tests/plans."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import substrait_sql
from substrait_sql import SubstraitSqlError, wire
from tests.support.paths import is_shared, is_there

PLANS = [
    p
    for p in sorted(Path(__file__).parents[1].glob("plans/**/*.*"))
    if p.suffix in (".json", ".pb")
    and not p.name.endswith(".rows.json")
    and p.parent.name != "tables"
]


def nodes(message: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every relation and expression below a message, with its path."""
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        at = f"{path}.{descriptor.name}" if path else descriptor.name
        several = not hasattr(value, "ListFields")
        for i, each in enumerate(value if several else [value]):
            here = f"{at}[{i}]" if several else at
            kind = each.DESCRIPTOR.name
            if kind == "Rel":
                yield f"{here}.{each.WhichOneof('rel_type')}", each
            elif kind == "Expression":
                yield here, each
            yield from nodes(each, here)


def inside(lines: list[str], span: Any) -> str:
    """The text of a span."""
    part = lines[span.line - 1 : span.end_line]
    part[-1] = part[-1][: span.end_column - 1]
    part[0] = part[0][span.column - 1 :]
    return "\n".join(part)


@pytest.mark.slow
def test_spans_of_all_plans() -> None:
    """Each relation that is lowered has one; each lies in the text; a literal number or text is what stands there."""
    literals = calls = 0
    for path in PLANS:
        try:
            rendered = substrait_sql.render(str(path))
        except SubstraitSqlError:
            continue
        lines = rendered.sql.split("\n")
        plan = wire.read(str(path)).plan
        for span in rendered.spans:
            assert is_there(plan, span.path) or is_shared(span.path), (path, span.path)
        found = {span.path: inside(lines, span) for span in rendered.spans}
        assert all(text.strip() for text in found.values()), path
        known = dict(nodes(plan))
        if known and "reference" not in str(path):
            relations = [p for p, n in known.items() if n.DESCRIPTOR.name == "Rel"]
            lost = [p for p in relations if p not in found and p.startswith("relations[0].root")]
            assert not lost, (path, lost)
        for at, text in found.items():
            node = known.get(at)
            if node is None or node.DESCRIPTOR.name != "Expression":
                continue
            calls += node.WhichOneof("rex_type") == "scalar_function"
            if node.WhichOneof("rex_type") == "literal" and node.literal.HasField("i64"):
                assert str(abs(node.literal.i64)) in text, (path, at, text)
                literals += 1
    assert literals > 100
    assert calls > 400


@pytest.mark.slow
def test_the_text_is_the_same_with_comments() -> None:
    """Whatever stands in quotes: `annotate` adds whole lines, and nothing else."""
    for path in PLANS:
        try:
            plain = substrait_sql.render(str(path)).sql
        except SubstraitSqlError:
            continue
        annotated = substrait_sql.render(str(path), annotate=True).sql.split("\n")
        kept = [
            line
            for line in annotated
            if not line.strip().startswith(("/* relations[", "/* named_"))
        ]
        assert "\n".join(kept) == plain, path
