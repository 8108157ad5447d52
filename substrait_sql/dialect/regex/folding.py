"""Which characters are equal but for their case, as the Unicode standard says (CaseFolding.txt)."""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache

Pairs = tuple[tuple[int, int], ...]

# Java takes the dotted and the dotless i for i, and knows neither those with marks nor what came after Unicode 13.
ERRING = frozenset(map(ord, "iIİı\u0390\u03b0\u1fd3\u1fe3\ufb05\ufb06\u2c2f\u2c5f")) | frozenset(
    (*range(0xA7C0, 0xA7E0), *range(0x10570, 0x105C0))
)
_LAST_WITH_CASE = 0x1F000


@cache
def _classes() -> tuple[dict[str, str], dict[str, str]]:
    """By folded character or characters: who folds to it; those of one character, then those of several."""
    single: dict[str, list[str]] = {}
    several: dict[str, list[str]] = {}
    for code in range(min(_LAST_WITH_CASE, sys.maxunicode)):
        char = chr(code)
        folded = char.casefold()
        if folded != char:
            kind = single if len(folded) == 1 else several
            kind.setdefault(folded, []).append(char)
    return (
        {k: "".join(sorted({*v, k})) for k, v in single.items()},
        {k: "".join(sorted(v)) for k, v in several.items()},
    )


def alike(char: str) -> str:
    """All characters that are equal to one, itself among them, in order."""
    folded = char.casefold()
    kind = _classes()[0 if len(folded) == 1 else 1]
    return kind.get(folded, char)


def expanding(folded: str) -> str:
    """The characters that fold to several, given those."""
    return _classes()[1].get(folded, "")


def java_errs(chars: str) -> bool:
    """Whether `(?iu)` of Java takes others for equal to one of these."""
    return any(ord(c) in ERRING for c in chars)


def closed(pairs: Pairs, ascii_only: bool) -> Pairs:
    """The ranges, with all that is equal to one of theirs."""
    known = merged(pairs)
    more: set[int] = set()
    if ascii_only:
        letters = [*range(65, 91), *range(97, 123)]
        more = {c ^ 32 for c in letters if within(c, known)}
    else:
        for kind in _classes():
            for members in kind.values():
                codes = [ord(c) for c in members]
                if any(within(c, known) for c in codes):
                    more.update(codes)
    return merged((*known, *((c, c) for c in more)))


def within(code: int, known: Pairs) -> bool:
    """Whether ranges in order hold a character."""
    at = bisect_right(known, (code, sys.maxunicode)) - 1
    return at >= 0 and known[at][1] >= code


def merged(pairs: Pairs) -> Pairs:
    """Ranges in order, each as long as can be."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(pairs):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return tuple(out)


def expands(text: str) -> bool:
    """Whether a text is equal to another one of fewer or more characters."""
    folded = text.casefold()
    several = _classes()[1]
    return len(folded) != len(text) or any(
        folded[i : i + n] in several for i in range(len(folded)) for n in (2, 3)
    )
