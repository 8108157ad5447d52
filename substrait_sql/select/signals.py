"""How the lowering of a relation asks for its input in another form, or for another plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.errors import UnsupportedError
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


class CloseBlock(Exception):
    """A field of this block is needed in a form that only a closed block offers. The relation that owns it retries."""

    def __init__(self, block: Block) -> None:
        self.block = block


class ComputeFirst(CloseBlock):
    """An expression must be a column of a closed block before it can be used: SQL does not take it where it stands.

    It stands in the plan at `path`, where the retry finds the column instead (`Block.computed`).
    """

    def __init__(self, block: Block, field: Field, path: Path) -> None:
        super().__init__(block)
        self.field = field
        self.path = path


class Rewrite(Exception):
    """What is being lowered has no SQL as the plan has it, but an equal plan may have: see `lower.unnest.attempts`.

    error: what to tell the user where no rewriting helps.
    """

    def __init__(self, error: UnsupportedError) -> None:
        self.error = error
        super().__init__(str(error))


class TooDeep(Rewrite):
    """An outer reference crosses more than one scope; Spark resolves one."""


class NotNative(Rewrite):
    """Spark would refuse the subquery that refers outwards, or return other rows: it has to be made independent."""


class NeedsLateral(NotNative):
    """The subquery in a join condition sees both sides; it can be had inside the rows of one of them."""


class ShareInput(CloseBlock):
    """The rows of this block are needed twice: for the relation itself, and for a subquery in its expressions.

    share: makes a block over the same rows, which are shared.
    """

    def __init__(self, block: Block, share: Callable[[Block], Block]) -> None:
        super().__init__(block)
        self.share = share
