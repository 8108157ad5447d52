"""Effects as lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.policy.model import Effects

_ORIGINS = {"standard": "Substrait's own", "engine": "Spark's own", "user": "of other extensions"}


def listing(found: Effects) -> str:
    """Lines of a word and what it is about, the same for the same plan."""
    return "\n".join(f"  {word:<12} {text}" for word, text in _lines(found))


def _lines(found: Effects) -> Iterator[tuple[str, str]]:
    for table in found.tables_read:
        yield "reads", plain(".".join(table.name))
    for file in found.files_read:
        yield "reads file", f"{plain(file.uri)} ({file.format or 'unknown format'})"
    for target in found.tables_written:
        yield "writes", f"{plain('.'.join(target.name))} ({target.statement})"
    for target in found.files_written:
        yield "writes file", f"{plain('.'.join(target.name))} ({target.statement})"
    for origin, said in _ORIGINS.items():
        names = sorted({f.name for f in found.functions if f.origin == origin})
        if names:
            yield "calls", f"{said}: {plain(', '.join(names))}"
    if found.registered:
        yield "needs", f"functions of the session: {plain(', '.join(found.registered))}"
    for extension in found.extensions:
        yield "extension", plain(extension.type_url)
    for parameter in found.parameters:
        yield "asks for", f"parameter {parameter.anchor}: {parameter.type}"
    for root in found.roots:
        columns = f": {', '.join(root.columns)}" if root.columns else ""
        yield "root", plain(f"{root.index} {', '.join(root.statements)}{columns}")
    for each in found.variations:
        yield "may vary", each.reason + (f", at {each.path}" if each.path else "")
    if found.deterministic:
        yield "returns", "the same over the same tables"


def plain(text: str) -> str:
    """A text of the plan without what a terminal would obey."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
