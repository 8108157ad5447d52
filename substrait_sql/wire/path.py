"""Where a node stands in its plan, written as a person would point at it.

``relations[0].root.input.filter``.
"""

from __future__ import annotations


class Path:
    """A linked path: a step costs one small object, the text is made only when it is read."""

    __slots__ = ("parent", "step")

    def __init__(self, parent: Path | None = None, step: str = "") -> None:
        self.parent = parent
        self.step = step

    def __truediv__(self, step: str) -> Path:
        """One field further in: ``path / "input"``."""
        return Path(self, step)

    def __getitem__(self, index: int) -> Path:
        """One element further in: ``path["expressions"][2]``."""
        return Path(self, f"[{index}]")

    def argument(self, index: int) -> Path:
        """The value of a call's argument; one step, for there are many of them."""
        return Path(self, _ARGUMENTS[index] if index < 4 else _argument(index))

    def __str__(self) -> str:
        steps: list[str] = []
        node: Path | None = self
        while node is not None:
            if node.step:
                steps.append(node.step)
            node = node.parent
        steps.reverse()
        return ".".join(steps).replace(".[", "[")


def _argument(index: int) -> str:
    return f"arguments[{index}].value"


_ARGUMENTS = tuple(map(_argument, range(4)))

ROOT = Path()
