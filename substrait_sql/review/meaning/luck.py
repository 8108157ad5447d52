"""Where a query may return other rows another time, over the same tables: what a plan leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.wire.inside import within

if TYPE_CHECKING:
    from substrait_sql.review.meaning.facts import Facts
    from substrait_sql.review.meaning.model import Block
    from substrait_sql.wire.path import Path


class Luck:
    """What has been found. found: the paths, and what is open there."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.found: list[tuple[str, str]] = []

    def fetch(self, block: Block, path: Path) -> None:
        """A LIMIT whose order does not decide between all rows."""
        if not _is_total(block):
            order = "an ORDER BY that may leave rows equal" if block.order else "no ORDER BY"
            self.found.append((str(path), f"LIMIT with {order} takes any of the rows"))

    def measure(self, message: Any, path: Path) -> None:
        """An aggregate function that takes its rows as they come."""
        self._call("aggregate", message.measure, path)

    def windows(self, node: Any, path: Path) -> None:
        """Window functions that tell apart what their order leaves equal."""
        for message in within(node, closed=("Rel", "Literal", "Type")):
            if message.DESCRIPTOR.name == "WindowFunction":
                self._call("window", message, path)

    def drawn(self, path: Path) -> None:
        """A function that gives another value each time, or that nobody knows."""
        self.found.append((str(path), "a function gives another value each time, or may do so"))

    def _call(self, kind: str, call: Any, path: Path) -> None:
        name = self._facts.name(call.function_reference, call)
        if not self._facts.is_steady(kind, name):
            self.found.append((str(path), f"{name.name} depends on the order of equal rows"))


def _is_total(block: Block) -> bool:
    """Whether the order decides between all rows: by all keys of an aggregation, which no two rows share."""
    source = block.source
    if len(source.items) != 1 or source.attached or source.items[0].kind != "aggregate":
        return False
    leaf = source.items[0]
    if not leaf.exprs:
        return True
    if len(leaf.exprs) > 1:
        return False
    sorted_by = {id(key.args[0].inner) for key in block.order if key.args[0].leaf is leaf}
    return {id(key) for key in leaf.exprs[0].args} <= sorted_by
