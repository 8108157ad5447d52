"""Draws patterns and texts, and writes down what ICU 72 finds in them.

    python3 -m venv icu && icu/bin/pip install PyICU && icu/bin/python -m tests.lower.expressions.icu.draw

PyICU has to be compiled, so that it is no dependency of the tests: they read `cases.json`.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

CASES = Path(__file__).with_name("cases.json")
PATTERNS = 1200
MILLISECONDS = 50

# Written by hand: what the user guide of ICU lists, and what is easily taken for something else.
LISTED = [
    (r"a.b", "a\x0bb a\x0cb a\x85b axb"),
    (r"(?s)a.b", "a\r\nb a\nb"),
    (r"(?s)a.*\n", "ab\r\n"),
    (r"(?s).", "a\r\nb\r"),
    (r"(?s).+?", "\r\n\r"),
    (r"(?s).{2}", "a\r\nb"),
    (r"(?s)a.*?b", "a\r\nb"),
    (r"b$", "ab\x0b"),
    (r"b$", "ab\r\n"),
    (r"$", "a\r\n"),
    (r"(?m)^b", "a\x0bb\x0cb\r\nb"),
    (r"(?m)a$", "a\x0ba\x0ca\r\na"),
    (r"(?m)^.*$", "a\r\nb\n\nc\n"),
    (r"(?d).+", "a\rb\nc\u2028d"),
    (r"(?md)^b$", "a\rb\nb\n"),
    (r"\Z", "a\x0b"),
    (r"a\z", "a\n"),
    (r"\Ga", "aab"),
    (r"(?i)é", "éÉ"),
    (r"(?i)straße", "STRASSE strasse STRAẞE"),
    (r"(?i)ss", "ß ss sS ẞ ſs"),
    (r"(?i)s{2}", "ß ss"),
    (r"(?i)fi", "FI ﬁ"),
    (r"(?i)ffi", "ﬃ ﬀi fﬁ FFI"),
    (r"(?i)i", "iIİı"),
    (r"(?i)[a-z]+", "aZſKİıé"),
    (r"(?i)[^k]", "kKKx"),
    (r"(?i)ς", "σΣς"),
    (r"(?i)İ", "i\u0307 İ I"),
    (r"(?i)[ß]", "ss ẞ ß"),
    (r"a(?i)b|c", "aB C"),
    (r"(?i:a)b", "Ab AB"),
    (r"(?<=.{2})\.", "日😀."),
    (r"(?<=^.{2})\.", "x😀."),
    (r"(?<!\w)b", "😀b 𝒳b ab"),
    (r"[^a]", "a😀"),
    (r"", "a😀b"),
    (r"\p{Letter}+", "aé1"),
    (r"\p{general_category=Lowercase Letter}+", "aA"),
    (r"\p{script=Greek}+", "αa"),
    (r"\P{Lu}+", "aA"),
    (r"\p{Greek}", "αa"),
    (r"\p{word}+", "a_1-"),
    (r"[[:alpha:]]+", "aé1"),
    (r"[[:^alpha:]]+", "a12"),
    (r"[:alpha:]+", "alp:"),
    (r"[[:word:]]+", "a_é-"),
    (r"[[:punct:]]+", "a.,$+"),
    (r"[[:xdigit:]]+", "0aFg"),
    (r"[[:blank:]]+", "a \t\n"),
    (r"[[:print:]]+", "a b\x07"),
    (r"[[:graph:]]+", "a b\x07"),
    (r"[[:cntrl:]]+", "a\x07\x85"),
    (r"\p{any}", "a"),
    (r"[a-z&&[^x]]+", "axb"),
    (r"[a-z--[aeiou]]+", "abcde"),
    (r"[[a-z]--[b-d]--[x]]+", "abxz"),
    (r"[[a-z]-[aeiou]]+", "abc-"),
    (r"[[a-z]&[aeiou]]+", "abe&"),
    (r"[\w--[\d_]]+", "a1_b"),
    (r"[^a-z&&[b]]+", "abA"),
    (r"[\p{L}&&\p{script=Latin}]+", "aα"),
    (r"[]a]+", "a]"),
    (r"[^]a]+", "a]b"),
    (r"[a-]+", "a-"),
    (r"[\d-a]+", "5-a"),
    (r"[a&b]+", "a&b"),
    (r"[{a}]+", "{a}"),
    (r"\h+", "\u180e \t\u2003"),
    (r"\H+", "a b"),
    (r"\v+", "\x0b\x85\u2028a"),
    (r"\V+", "a\nb"),
    (r"\R", "a\r\n\n\x85"),
    (r"\R\n", "\r\n"),
    (r"\N{DIGIT ONE}\x{32}\x33\u0034\U00000035", "12345"),
    (r"\ud83d\ude00", "😀"),
    (r"[\ud83d\ude00]", "😀"),
    (r"\0101\cA\a\e", "A\x01\x07\x1b"),
    (r"\Qa.b\E+", "a.bb"),
    (r"[\Qa]\E]+", "a]"),
    (r"a\Q.", "a.b"),
    (r"(?x) a b # c", "ab"),
    (r"(?x)[a b]+\ c", "ab c"),
    (r"(?#c)a", "a"),
    (r"(?<n>a)\k<n>", "aa"),
    (r"(a)(b)\2\1", "abba"),
    (r"(a)\11", "aa1"),
    (r"(?>a+)b", "aab"),
    (r"a*+b", "aab"),
    (r"a+?", "aa"),
    (r"\bé\w*\b", "l'été e\u0301"),
    (r"\b", "I ❤\ufe0f a\u00adb 👩\u200d💻"),
    (r"\B", "a\u200db c"),
    (r"\bfoo", "foo ❤\ufe0ffoo afoo"),
    (r"foo\b", "foo foo\u0301 foo\u00ad"),
    (r"\q\y\E", "qyE"),
    (r"(?u)(?w)a", "a"),
    (r"a{2,3}?", "aaaaa"),
    (r"(?:ab){2}", "ababab"),
    (r"(?=a)\w", "ba"),
    (r"(?!a)\w", "ba"),
]  # fmt: skip
ATOMS = [
    *"abAsSkKiIéÉßſx1_ -😀σςıİ日", *["."] * 3, *["^", "$"] * 2,
    *[r"\r", r"\n", r"\x0b", r"\w", r"\W", r"\d", r"\s", r"\S", r"\R", r"\h", r"\v", r"\b", r"\B", r"\A"],
    *[r"\z", r"\Z", r"\H", r"\V", r"\."],
    "[ab]", "[^a]", "[a-z]", "[^a-z]", "[[:alpha:]]", "[[:punct:]]", "[[:word:]]", "[À-Ý]", "[ς]", "[a-z&&[^b]]",
    *[r"[^\n]", r"[\s\d]", r"[\w&&[^a]]", r"[[a-z]--[ab]]", r"[\p{L}--[a]]", r"\p{L}"],
    *[r"\P{L}", r"\p{So}", r"\p{script=Greek}"],
    "ss", "ff", "fi", "st", "straße", r"\x{1F600}", r"\Qa.\E", "\u0301", r"\u00e9",
]  # fmt: skip
TEXTS = [
    *"aabbAsSkKiIéÉßẞſx1_ .-\r\n\x0b\x0c\x85\u2028😀Kıİσς日\t\xa0\u00adµΐ\u0345ι𝒳ﬁﬀﬃﬆﬅ", *["\r\n"] * 3,
    "👩\u200d💻", "❤\ufe0f", "e\u0301", "ff", "fi", "STRASSE", "straße",
]  # fmt: skip
GROUPS = [
    "(%s)",
    "(?:%s)",
    "(?>%s)",
    "(?=%s)",
    "(?!%s)",
    "(?<=%s)",
    "(?<!%s)",
    "(?i:%s)",
    "(?s:%s)",
    "(?m:%s)",
    "(?d:%s)",
    "(?-i:%s)",
]
TIMES = ["*", "+", "?", "*?", "+?", "??", "*+", "++", "{2}", "{1,2}", "{0,3}?", "{2,}"]
HEADS = ["", "", "", "(?i)", "(?i)", "(?m)", "(?s)", "(?sm)", "(?im)", "(?is)", "(?d)", "(?md)"]


def alternatives(luck: random.Random, depth: int) -> str:
    """A pattern with groups in groups down to a depth."""
    branches = luck.choice([1, 1, 1, 1, 2, 2, 3])
    lengths = [luck.choice([1, 1, 2, 2, 3, 4]) for _ in range(branches)]
    return "|".join("".join(_term(luck, depth) for _ in range(n)) for n in lengths)


def _term(luck: random.Random, depth: int) -> str:
    chance = luck.random()
    if depth and chance < 0.28:
        term = luck.choice(GROUPS) % alternatives(luck, depth - 1)
    elif chance > 0.97:
        return luck.choice(["(?i)", "(?s)", "(?m)", "(?d)", "(?-s)"])
    else:
        term = luck.choice(ATOMS)
    return term + (luck.choice(TIMES) if luck.random() < 0.28 else "")


def found(pattern: str, text: str) -> list[str] | None:
    """What ICU finds; None for a pattern that it does not take, or not in time."""
    import icu

    try:
        units = icu.UnicodeString(text)
        matcher = icu.RegexPattern.compile(pattern).matcher(units)
        matcher.setTimeLimit(MILLISECONDS)
        out = []
        while matcher.find():
            out.append(str(matcher.group()))
        return out
    except icu.ICUError:
        return None


def main() -> None:
    """Write the file."""
    luck = random.Random(11)
    pairs = list(LISTED)
    for _ in range(PATTERNS):
        pattern = luck.choice(HEADS) + alternatives(luck, 2)
        text = "".join(luck.choice(TEXTS) for _ in range(luck.choice([1, 2, 3, 4, 5, 6, 8])))
        pairs.append((pattern, text))
    rows = [json.dumps([p, t, out]) for p, t in pairs if (out := found(p, t)) is not None]
    CASES.write_text("[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
