"""Writes a regular expression as Java's `java.util.regex` reads it.

No flag of Java's that changes line ends is used, for none of them has those of the other flavours; a flag for case
is, where Java's letters are those that are meant.
"""

from __future__ import annotations

from dataclasses import dataclass

from substrait_sql.dialect.regex import facts
from substrait_sql.dialect.regex.letters import Letters, closest
from substrait_sql.dialect.regex.nodes import (
    Anchor,
    Atomic,
    Boundary,
    Break,
    Choice,
    Class,
    Dot,
    End,
    Group,
    Literal,
    Look,
    Node,
    Pattern,
    Reference,
    RegexError,
    Repeat,
    Sequence,
    Start,
)

# Not between CR and LF.
_WHOLE_LINE_END = r"(?!(?<=\r)\n)"
_ANY_CHARACTER = r"(?>\r\n|.)"
# Java finds nothing between the halves of a character beyond the first 65,536, too: not before a half by itself.
_WHOLE_CHARACTERS = r"(?!\p{Cs})"
# Marks and format characters, which belong to the character before them; what is left of words without them. No more
# than 30 marks follow one another in a text that is fit for streams (Unicode Standard Annex 15).
_MARKS = r"[\p{Mn}\p{Me}\p{Cf}]"
_IN_WORD = r"[\w&&[^\p{Mn}\p{Me}\p{Cf}😀]]" + _MARKS + "{0,30}"
_ASCII_WORD = "[0-9A-Za-z_]"
# Where Java finds a character beyond the first 65,536 in a pattern, it looks behind by characters, not by halves.
_BY_CHARACTERS = "😀{0}"
# What stands beside the first part of a pattern, and beside its last.
_START_OF_PATTERN, _END_OF_PATTERN = Anchor("start"), Anchor("end")


@dataclass(frozen=True)
class Java:
    """A pattern of Java's.

    on: the flags it needs. off: those that must not be on. alternatives: at the top of it. empty: whether it may
    match nothing, somewhere within the text.
    """

    text: str
    on: str
    off: str
    alternatives: bool
    empty: bool

    def whole(self) -> str:
        """The pattern with its flags at its head."""
        text = f"{_WHOLE_CHARACTERS}(?:{self.text})" if self.empty else self.text
        return f"(?{self.on}{self.off}){text}" if self.on else text

    def inline(self) -> str:
        """The pattern as a part of another one that has the flag `s`."""
        on = self.on.replace("s", "")
        if on:
            return f"(?{on}{self.off}:{self.text})"
        return f"(?:{self.text})" if self.alternatives else self.text


def java(pattern: Pattern, shift: int = 0) -> Java:
    """A pattern as Java's. shift: how many groups stand before it.

    Raises RegexError where Java has no such thing.
    """
    nodes = facts.every(pattern.root)
    written = []
    for letters in closest(nodes):
        dots = [n for n in nodes if isinstance(n, Dot)]
        writer = _Writer(letters, shift, dot_all=bool(dots) and all(d.everything for d in dots))
        text = writer.node(pattern.root, _START_OF_PATTERN, _END_OF_PATTERN)
        on, off = letters.flags(writer.unicode)
        on = on.replace("u", "su") if "u" in on and writer.dot_all else on + "s" * writer.dot_all
        on += "U" * writer.unicode
        empty = facts.least(pattern.root) == 0 and not facts.once(pattern.root)
        written.append(Java(text, on, off, isinstance(pattern.root, Choice), empty))
    return min(written, key=lambda w: len(w.whole()))


class _Writer:
    def __init__(self, letters: Letters, shift: int, dot_all: bool) -> None:
        self.letters = letters
        self.shift = shift
        self.dot_all = dot_all
        self.unicode = False

    def node(self, node: Node, before: Node | None, after: Node | None) -> str:
        """A node as Java writes it. before, after: what stands beside it, None where that is not known."""
        match node:
            case Literal():
                return self.letters.literal(node)
            case Class(of):
                self._note(of)
                return self.letters.of_set(node)
            case Dot():
                return self._dot(node)
            case Start():
                return _start(node, before, after)
            case End():
                return _end(node, before)
            case Anchor(java):
                return java
            case Boundary():
                return self._boundary(node, before, after)
            case Break():
                return r"(?>\R)"
            case Reference(number, name):
                return rf"\k<{name}>" if name else rf"(?:\{number + self.shift})"
            case Group(body, number, name):
                head = "(?:" if number is None else f"(?<{name}>" if name else "("
                return f"{head}{self.node(body, _within(before), after)})"
            case Atomic(body):
                return f"(?>{self.node(body, _within(before), None)})"
            case Look():
                return self._look(node)
            case Repeat():
                return self._repeat(node, after)
            case Sequence(parts):
                return self._sequence(parts, before, after)
            case Choice(options):
                return "|".join(self.node(o, _within(before), after) for o in options)

    def _sequence(self, parts: tuple[Node, ...], before: Node | None, after: Node | None) -> str:
        beside = (before, *parts, after)
        return "".join(self.node(p, beside[i], beside[i + 2]) for i, p in enumerate(parts))

    def _note(self, of: object) -> None:
        """Remember that `(?U)` is needed for a set."""
        if getattr(of, "unicode", False):
            self.unicode = True
        for name in ("of", "left", "right"):
            if (inside := getattr(of, name, None)) is not None:
                self._note(inside)
        for part in getattr(of, "parts", ()):
            self._note(part)

    def _dot(self, dot: Dot) -> str:
        if not dot.everything:
            return r"\V" if dot.breaks else r"[^\n]"
        one = "." if self.dot_all else "(?s:.)"
        return _ANY_CHARACTER.replace(".", one) if dot.pairs else one

    def _boundary(self, node: Boundary, before: Node | None, after: Node | None) -> str:
        if node.ascii:
            word, inside = _ASCII_WORD, _ASCII_WORD
        elif not node.marks:
            self.unicode = True
            return r"\B" if node.negated else r"\b"
        else:
            self.unicode = True
            word, inside = r"\w", _IN_WORD
        marks = "" if node.ascii else f"(?!{_MARKS})"
        if not node.negated and facts.word_ahead(after):
            return f"(?<!{inside})"
        if not node.negated and facts.word_behind(before):
            return f"(?!{word})" if node.ascii else r"(?![\w\p{Cf}])"
        either = f"(?<={inside})(?!{word})|(?<!{inside})(?={word})"
        if node.negated:
            return f"(?!{marks}(?:{either}))" if marks else f"(?!{either})"
        return f"{marks}(?:{either})"

    def _look(self, node: Look) -> str:
        body = self.node(node.body, None, None)
        if node.behind:
            if facts.most(node.body) is None:
                raise RegexError("a look behind at a text of any length")
            if facts.repeats_much(node.body):
                raise RegexError("a look behind at several characters that are repeated")
            if facts.beyond_bmp(node.body):
                body = _BY_CHARACTERS + (f"(?:{body})" if isinstance(node.body, Choice) else body)
        return f"(?{'<' * node.behind}{'!' if node.negated else '='}{body})"

    def _repeat(self, node: Repeat, after: Node | None) -> str:
        if (
            isinstance(node.body, Dot)
            and node.body.everything
            and node.body.pairs
            and node.most is None
        ):
            return self._any_text(node, after)
        minds_how = node.mode or facts.captures(node.body)
        if minds_how and node.most != 1 and facts.least(node.body) == 0:
            raise RegexError(f"nothing, repeated with {_times(node)}")
        if node.mode == "+" and facts.captures(node.body):
            # Java remembers what a group matched in vain.
            raise RegexError("a group that captures, repeated for good")
        body = self.node(node.body, None, None)
        if isinstance(node.body, Literal | Reference) and not _is_one(body):
            body = f"(?:{body})"
        return body + _times(node)

    def _any_text(self, node: Repeat, after: Node | None) -> str:
        """`.*` and its like where CR LF is one character: it must not end between the two."""
        unit, one, least = self._dot(node.body), "." if self.dot_all else "(?s:.)", node.least  # type: ignore[arg-type]
        head = ""
        if least > 1:
            head, least = f"{unit}{{{least}}}", 0
        mark = "+" if least else "*"
        to_the_end = node.mode == "" and after is _END_OF_PATTERN
        if node.mode == "+" or to_the_end or not facts.may_begin_with_lf(after):
            return f"{head}{one}{mark}{node.mode}"
        some = f"{one}+{node.mode}{_WHOLE_LINE_END}"
        return head + (some if least else f"(?:{some})?{node.mode}")


def _within(before: Node | None) -> Node | None:
    """What stands before each of several alternatives."""
    return None if before is _START_OF_PATTERN else before


def _is_one(text: str) -> bool:
    """Whether a text is one character of a pattern, so that a repetition behind it means all of it."""
    return (
        len(text) == 1
        or (len(text) == 2 and text[0] == "\\")
        or (
            text.startswith((r"\x{", "["))
            and text.endswith(("}", "]"))
            and text.count(text[-1]) == 1
        )
        or (text.startswith("(?:") and text.count("(") == 1)
    )


def _times(node: Repeat) -> str:
    match (node.least, node.most):
        case (0, None):
            return "*" + node.mode
        case (1, None):
            return "+" + node.mode
        case (0, 1):
            return "?" + node.mode
        case (low, None):
            return f"{{{low},}}{node.mode}"
        case (low, high) if low == high:
            return f"{{{low}}}{node.mode}"
    return f"{{{node.least},{node.most}}}{node.mode}"


def _start(node: Start, before: Node | None, after: Node | None) -> str:
    if not node.lines:
        return "^"
    something = after is not None and facts.least(after) > 0
    if not node.breaks:
        if node.after_last or something:
            return r"(?<![^\n])"
        return r"(?:\A|(?<=\n)(?!\z))"
    if something and not facts.may_begin_with_lf(after):
        return r"(?<!\V)"
    if before is not _START_OF_PATTERN:
        # ICU finds a line there or not, as it happens to search.
        raise RegexError("a ^ for lines within a pattern, before what may stand between CR and LF")
    return r"(?:\A|(?<=\v)(?!\z|(?<=\r)\n))"


def _end(node: End, before: Node | None) -> str:
    inside = facts.may_end_with_cr(before)
    if node.lines:
        if not node.breaks:
            return r"(?![^\n])"
        return r"(?!\V|(?<=\r)\n)" if inside else r"(?!\V)"
    if not node.before_last:
        return r"\z"
    if not node.breaks:
        return r"(?=\n?\z)"
    return (_WHOLE_LINE_END if inside else "") + r"(?=\R?\z)"
