"""Reads a regular expression of any flavour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.dialect.regex import sets
from substrait_sql.dialect.regex.escapes import (
    escaped_character,
    is_character_escape,
    named_character,
)
from substrait_sql.dialect.regex.nodes import (
    Anchor,
    Atomic,
    Boundary,
    Break,
    Choice,
    Class,
    Dot,
    End,
    Fold,
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
from substrait_sql.dialect.regex.properties import letter
from substrait_sql.dialect.regex.reader import Reader

if TYPE_CHECKING:
    from substrait_sql.dialect.regex.flavour import Flavour

# Java reads a pattern by recursion, too, and so does this.
_DEEPEST = 200
_ASSERTIONS = (Start, End, Anchor, Boundary, Look)


def parse(source: str, flavour: Flavour, flags: str = "", fold: Fold | None = None) -> Pattern:
    """Read a pattern.

    flags: those that are on from the start, as letters. fold: what case-insensitivity means, if not what it does to
    the flavour.

    Raises RegexError.
    """
    parser = _Parser(source, flavour, frozenset(flags), fold or flavour.fold)
    root = parser.choice()
    if parser.read.peek() is not None:
        raise RegexError("a ')' without its '('")
    return Pattern(root, parser.groups, tuple(parser.names))


class _Parser:
    def __init__(self, source: str, flavour: Flavour, flags: frozenset[str], fold: Fold) -> None:
        self.read = Reader(source, comments="x" in flags)
        self.flavour = flavour
        self.flags = flags
        self.fold = fold
        self.groups = 0
        self.names: dict[str, int] = {}
        self.open: set[int] = set()
        self.depth = 0

    def _set_flags(self, flags: frozenset[str]) -> None:
        self.flags = flags
        self.read.comments = "x" in flags

    @property
    def _folding(self) -> Fold:
        return self.fold if "i" in self.flags else Fold.NONE

    # Structure

    def choice(self) -> Node:
        """Alternatives up to the end of the group. Flags that are set in it end with it."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise RegexError(f"groups in more than {_DEEPEST} others")
        before = self.flags
        options = [self._sequence()]
        while self.read.peek() == ("|", False):
            self.read.next()
            options.append(self._sequence())
        self._set_flags(before)
        self.depth -= 1
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        # Flags and groups keep a text from being one with what stands before it.
        joinable = False
        while (found := self.read.peek()) is not None and found not in (("|", False), (")", False)):
            node = self._term()
            if node is None:
                joinable = False
                continue
            repeated = self._repeated(node)
            is_text = isinstance(repeated, Literal)
            last = parts[-1] if parts and joinable and is_text else None
            if (
                isinstance(last, Literal)
                and isinstance(repeated, Literal)
                and last.fold == repeated.fold
            ):
                parts[-1] = Literal(last.text + repeated.text, last.fold)
            else:
                parts.append(repeated)
            joinable = is_text
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _term(self) -> Node | None:
        char, plain = self.read.next()
        if plain:
            return Literal(char, self._folding)
        match char:
            case "(":
                return self._group()
            case "[":
                return Class(sets.bracket(self.read, self.flavour, self._folding), self._folding)
            case ".":
                everything = "s" in self.flags
                return Dot(everything, self.breaks, self.flavour.pairs)
            case "^":
                return Start("m" in self.flags, self.breaks, self.flavour.after_last)
            case "$":
                return End("m" in self.flags, self.breaks, self.flavour.before_last)
            case "\\":
                return self._escape()
            case "*" | "+" | "?":
                raise RegexError(f"a {char!r} that repeats nothing")
            case "{" | "}" if self.flavour.any_escape or char == "{":
                raise RegexError(f"a {char!r} that stands for itself: write it with a backslash")
        return Literal(char, self._folding)

    @property
    def breaks(self) -> bool:
        """Whether all line ends of Unicode end a line here."""
        return self.flavour.breaks and "d" not in self.flags

    # Repetition

    def _repeated(self, node: Node) -> Node:
        found = self.read.peek()
        if found is None or found[1] or found[0] not in "*+?{":
            return node
        if isinstance(node, _ASSERTIONS):
            raise RegexError("a place, not characters, that is repeated")
        least, most = self._times()
        mode = ""
        following = self.read.peek()
        if following == ("?", False) or (following == ("+", False) and self.flavour.backtracks):
            mode = self.read.next()[0]
        after = self.read.peek()
        if after is not None and not after[1] and after[0] in "*+?{":
            raise RegexError("a repetition that is repeated")
        if "U" in self.flags:
            mode = {"": "?", "?": ""}[mode]
        return Repeat(node, least, most, mode)

    def _times(self) -> tuple[int, int | None]:
        char = self.read.next()[0]
        if char != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        text = self.read.until("}")
        low, comma, high = text.partition(",")
        if not (_number(low) and (not high or _number(high))):
            raise RegexError(f"the repetition {{{text}}}")
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if most is not None and most < least:
            raise RegexError(f"the repetition {{{text}}}")
        return least, most

    # Groups

    def _group(self) -> Node | None:
        if not self.read.starts("?"):
            return self._capturing("")
        for mark, make in (
            (":", Group),
            (">", Atomic),
            ("=", lambda b: Look(b, behind=False, negated=False)),
            ("!", lambda b: Look(b, behind=False, negated=True)),
            ("<=", lambda b: Look(b, behind=True, negated=False)),
            ("<!", lambda b: Look(b, behind=True, negated=True)),
        ):
            if self.read.starts(mark):
                if mark != ":" and not self.flavour.backtracks:
                    raise RegexError(f"(?{mark}…), which {self.flavour.name} does not know")
                return make(self._body())
        if self.read.starts("#") and self.flavour.backtracks:
            self.read.until(")")
            return None
        if self.read.starts("<") or (not self.flavour.backtracks and self.read.starts("P<")):
            return self._capturing(self._name())
        return self._flags()

    def _capturing(self, name: str) -> Node:
        self.groups += 1
        number = self.groups
        if name in self.names:
            raise RegexError(f"two groups that are called {name!r}")
        if name:
            self.names[name] = number
        self.open.add(number)
        body = self._body()
        self.open.discard(number)
        return Group(body, number, name)

    def _name(self) -> str:
        name = self.read.until(">")
        if not (name.isascii() and name.isalnum() and name[0].isalpha()):
            raise RegexError(f"a group called {name!r}")
        return name

    def _body(self) -> Node:
        body = self.choice()
        if self.read.peek() is None:
            raise RegexError("a '(' without its ')'")
        self.read.next()
        return body

    def _flags(self) -> Node | None:
        on = True
        flags = set(self.flags)
        while (char := self.read.raw()) not in (":", ")"):
            if char == "-" and on:
                on = False
            elif char in self.flavour.flags and char:
                self._check_flag(char, on)
                (flags.add if on else flags.discard)(char)
            else:
                raise RegexError(f"(?{char}…), which {self.flavour.name} does not know")
        if char == ")":
            self._set_flags(frozenset(flags))
            return None
        before = self.flags
        self._set_flags(frozenset(flags))
        body = self._body()
        self._set_flags(before)
        return Group(body)

    def _check_flag(self, char: str, on: bool) -> None:
        if char == "u" and not on:
            raise RegexError("(?-u), which makes bytes of characters")

    # Escapes

    def _escape(self) -> Node:
        char = self.read.raw()
        if char == "":
            raise RegexError("a backslash at the end")
        if self.flavour.backtracks and char in "123456789":
            return self._numbered(int(char))
        if not char.isascii() or not char.isalnum():
            return Literal(char, self._folding)
        if char in "wWdDsS" or (char in "hHV" and char in self.flavour.escapes):
            return Class(letter(char, self.flavour), self._folding)
        if char in "pP":
            return Class(
                sets.property_(self.read, char, self.flavour, self._folding), self._folding
            )
        if char in "bB":
            return self._boundary(char)
        if char in "Az":
            return Anchor(rf"\{char}")
        if char == "v" and self.flavour.backtracks:
            return Class(letter("v", self.flavour), self._folding)
        if is_character_escape(char, self.flavour):
            return Literal(escaped_character(self.read, char, self.flavour), self._folding)
        return self._own_escape(char)

    def _own_escape(self, char: str) -> Node:
        known = char in self.flavour.escapes
        match char:
            case "Z" if known:
                return End(False, self.flavour.breaks, True)
            case "G" if known:
                return Anchor(r"\G")
            case "R" if known:
                return Break()
            case "N" if known:
                return Literal(named_character(self.read), self._folding)
            case "k" if known:
                return self._by_name()
            case "X" if known:
                raise RegexError(r"\X, which every release of Java sees in its own way")
        if not self.flavour.any_escape:
            raise RegexError(rf"\{char}, which {self.flavour.name} does not know")
        return Literal(char, self._folding)

    def _boundary(self, char: str) -> Boundary:
        if "w" in self.flags:
            raise RegexError(r"(?w) with \b: words by their meaning, which Java does not know")
        if self.read.starts("{"):
            raise RegexError(r"\b{…}")
        return Boundary(char == "B", self.flavour.marks, not self.flavour.unicode)

    def _numbered(self, number: int) -> Reference:
        while (digit := self.read.ahead()) and digit in "0123456789":
            if number * 10 + int(digit) > self.groups:
                break
            number = number * 10 + int(self.read.raw())
        return self._reference(number, "")

    def _by_name(self) -> Reference:
        if not self.read.starts("<"):
            raise RegexError(r"a \k without a name")
        name = self._name()
        return self._reference(self.names.get(name, 0), name)

    def _reference(self, number: int, name: str) -> Reference:
        if not 0 < number <= self.groups or number in self.open:
            raise RegexError("what refers to a group that does not end before it")
        if "i" in self.flags:
            raise RegexError("what refers to a group, and may be written in another case")
        return Reference(number, name)


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8
