"""What relations of our own mean: rows of the elements of a value, and recursions.

See `plan.generators` and `plan.recursion`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.review.meaning.model import Block, Expr, Leaf, NoMeaningError

if TYPE_CHECKING:
    from substrait_sql.plan.generators import Generator
    from substrait_sql.plan.recursion import Recursive
    from substrait_sql.wire.path import Path


def generated(made: Generator, block: Block, path: Path) -> Block:
    """The rows beside what is made of each. What the new columns are called does not matter."""
    kept = len(block.outputs) - made.arguments
    if kept < 0:
        raise NoMeaningError("the generator has fewer columns than arguments", path)
    arguments = Expr(("arguments",), block.outputs[kept:])
    head = (made.name, "outer") if made.outer else (made.name,)
    leaf = Leaf("generator", head, path, [block], [arguments])
    passed = [leaf.column(("pass",), each) for each in block.outputs[:kept]]
    new = [leaf.column((str(i),)) for i in range(len(made.columns))]
    return Block(leaf.alone_in_from(), [*passed, *new])


def recursive(made: Recursive, start: Block, step: Block, path: Path) -> Block:
    """The rows of all rounds. What the recursion is called does not matter."""
    head = () if made.most_rounds is None else (str(made.most_rounds),)
    leaf = Leaf("recursion", head, path, [start, step])
    outputs = [leaf.column((str(i),)) for i in range(len(start.outputs))]
    return Block(leaf.alone_in_from(), outputs)
