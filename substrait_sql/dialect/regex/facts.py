"""What can be said of a pattern without a text."""

from __future__ import annotations

from substrait_sql.dialect.regex import folding
from substrait_sql.dialect.regex.nodes import (
    Anchor,
    Atomic,
    Boundary,
    Break,
    Choice,
    Class,
    Complement,
    Difference,
    Dot,
    End,
    Fold,
    Group,
    Intersection,
    Literal,
    Look,
    Node,
    Property,
    Ranges,
    Reference,
    Repeat,
    Sequence,
    Set,
    Start,
    Union,
)

_LF, _CR = "\n", "\r"


def least(node: Node) -> int:
    """How many characters it matches at least: 0 or 1, for nothing or something."""
    match node:
        case Literal(text):
            return 1 if text else 0
        case Class() | Dot() | Break():
            return 1
        case Group(body) | Atomic(body):
            return least(body)
        case Repeat(body, low):
            return least(body) if low else 0
        case Sequence(parts):
            return max(map(least, parts), default=0)
        case Choice(options):
            return min(map(least, options))
    return 0


def most(node: Node) -> int | None:
    """How many characters it matches at the most; None where there is no limit, or none is known."""
    match node:
        case Literal(text, fold):
            return None if fold is Fold.FULL and folding.expands(text) else len(text)
        case Class():
            return 1
        case Dot(everything, _, pairs):
            return None if everything and pairs else 1
        case Start() | End() | Anchor() | Boundary() | Look():
            return 0
        case Group(body) | Atomic(body):
            return most(body)
        case Repeat(body, _, high):
            each = most(body)
            return None if high is None or each is None else high * each
        case Sequence(parts) | Choice(parts):
            each_part = [most(p) for p in parts]
            known = [n for n in each_part if n is not None]
            if len(known) < len(each_part):
                return None
            return max(known, default=0) if isinstance(node, Choice) else sum(known)
    return None


def parts_of(node: Node) -> tuple[Node, ...]:
    """What stands in a node."""
    match node:
        case Group(body) | Atomic(body) | Repeat(body) | Look(body):
            return (body,)
        case Sequence(parts) | Choice(parts):
            return parts
    return ()


def every(node: Node) -> list[Node]:
    """The node and all that stands in it."""
    found, waiting = [], [node]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting.extend(parts_of(one))
    return found


def looks_around(node: Node) -> bool:
    """Whether the text around a match has a say."""
    return any(isinstance(n, Start | End | Anchor | Boundary | Look) for n in every(node))


def refers(node: Node) -> bool:
    """Whether it has references to groups."""
    return any(isinstance(n, Reference) for n in every(node))


def captures(node: Node) -> bool:
    """Whether it has groups that capture."""
    return any(isinstance(n, Group) and n.number is not None for n in every(node))


def all_groups(node: Node, certain: bool = True) -> bool:
    """Whether each group that captures is a part of every match."""
    if isinstance(node, Group) and node.number is not None and not certain:
        return False
    sure = (
        certain
        and not isinstance(node, Choice | Look)
        and not (isinstance(node, Repeat) and not node.least)
    )
    return all(all_groups(part, sure) for part in parts_of(node))


def repeats_much(node: Node) -> bool:
    """Whether it repeats more than one character, of which Java may not see how long that gets."""
    return any(
        isinstance(n, Repeat)
        and not isinstance(n.body, Class | Dot | Literal)
        and (n.least, n.most) != (0, 1)
        for n in every(node)
    )


def once(node: Node) -> bool:
    """Whether it is bound to the start of the text, so that it matches once at the most."""
    while isinstance(node, Sequence | Group):
        node = node.body if isinstance(node, Group) else (node.parts[0] if node.parts else Break())
    return node == Anchor(r"\A") or (isinstance(node, Start) and not node.lines)


def may_begin_with_lf(node: Node | None) -> bool:
    """Whether what follows may match a text that begins with LF, or nothing at all before one."""
    match node:
        case Literal(text, _) if text:
            return text[0] == _LF
        case Class(of):
            return _may_hold(of, _LF)
        case Group(body) | Atomic(body):
            return may_begin_with_lf(body)
        case Repeat(body, low) if low:
            return may_begin_with_lf(body)
        case Sequence(parts) if parts:
            return may_begin_with_lf(parts[0])
        case Choice(options):
            return any(map(may_begin_with_lf, options))
        case Dot(everything):
            return everything
        case End(_, breaks) if breaks:  # its own text has that in it
            return False
    return True


def may_end_with_cr(node: Node | None) -> bool:
    """Whether what stands before may have matched a text that ends with CR, or nothing at all."""
    match node:
        case Literal(text, _) if text:
            return text[-1] == _CR
        case Class(of):
            return _may_hold(of, _CR)
        case Dot(everything, breaks):
            return everything or not breaks
        case Group(body) | Atomic(body):
            return may_end_with_cr(body)
        case Repeat(body, low) if low:
            return may_end_with_cr(body)
        case Sequence(parts) if parts:
            return may_end_with_cr(parts[-1])
        case Choice(options):
            return any(map(may_end_with_cr, options))
        case Start(lines):
            return lines
        case Anchor(java):
            return java != r"\A"
    return True


def _may_hold(found: Set, char: str) -> bool:
    match found:
        case Ranges(pairs):
            return any(low <= ord(char) <= high for low, high in pairs)
        case Complement(Ranges(pairs)):
            return not any(low <= ord(char) <= high for low, high in pairs)
        case Union(parts):
            return any(_may_hold(p, char) for p in parts)
    return True


def word_ahead(node: Node | None) -> bool:
    """Whether what follows is a letter or digit of ASCII for sure."""
    match node:
        case Literal(text, _) if text:
            return _is_word(text[0])
        case Group(body) | Atomic(body):
            return word_ahead(body)
        case Sequence(parts) if parts:
            return word_ahead(parts[0])
        case Choice(options):
            return all(map(word_ahead, options))
        case Repeat(body, low) if low:
            return word_ahead(body)
    return False


def word_behind(node: Node | None) -> bool:
    """Whether what stands before ended with a letter or digit of ASCII for sure."""
    match node:
        case Literal(text, _) if text:
            return _is_word(text[-1])
        case Group(body) | Atomic(body):
            return word_behind(body)
        case Sequence(parts) if parts:
            return word_behind(parts[-1])
        case Choice(options):
            return all(map(word_behind, options))
        case Repeat(body, low) if low:
            return word_behind(body)
    return False


def _is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def minds_case(node: Node) -> bool:
    """Whether it would match something else if case did not matter."""
    match node:
        case Literal(text):
            return any(folding.alike(c) != c for c in text) or folding.expands(text)
        case Class(of):
            return _set_minds_case(of)
    return False


def _set_minds_case(found: Set) -> bool:
    match found:
        case Ranges(pairs):
            return folding.closed(pairs, False) != folding.merged(pairs)
        case Property(_, _, extra):
            return extra != ""
        case Complement(of):
            return _set_minds_case(of)
        case Union(parts):
            return any(map(_set_minds_case, parts))
        case Intersection(left, right) | Difference(left, right):
            return _set_minds_case(left) or _set_minds_case(right)


def beyond_bmp(node: Node) -> bool:
    """Whether it may match a character of which Java makes two halves."""
    match node:
        case Class(of):
            return _set_beyond_bmp(of)
        case Dot():
            return True
    return any(map(beyond_bmp, parts_of(node)))


def _set_beyond_bmp(found: Set) -> bool:
    match found:
        case Ranges(pairs):
            return any(high > 0xFFFF for _, high in pairs)
        case Union(parts):
            return any(map(_set_beyond_bmp, parts))
        case Intersection(left) | Difference(left):
            return _set_beyond_bmp(left)
    return True
