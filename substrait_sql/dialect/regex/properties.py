r"""Names of sets of characters: `\p{…}`, `[:…:]`, and the letters that have one, each as Java writes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from substrait_sql.dialect.regex.nodes import Complement, Property, Ranges, RegexError, Set

if TYPE_CHECKING:
    from substrait_sql.dialect.regex.flavour import Flavour

# General categories by their short names, with the long ones.
_CATEGORIES = """
L letter|M mark combiningmark|N number|P punctuation punct|S symbol|Z separator|C other|LC casedletter
Lu uppercaseletter|Ll lowercaseletter|Lt titlecaseletter|Lm modifierletter|Lo otherletter
Mn nonspacingmark|Mc spacingmark|Me enclosingmark
Nd decimalnumber digit|Nl letternumber|No othernumber
Pc connectorpunctuation|Pd dashpunctuation|Ps openpunctuation|Pe closepunctuation|Pi initialpunctuation
Pf finalpunctuation|Po otherpunctuation
Sm mathsymbol|Sc currencysymbol|Sk modifiersymbol|So othersymbol
Zs spaceseparator|Zl lineseparator|Zp paragraphseparator
Cc control cntrl|Cf format|Cn unassigned|Co privateuse
"""
_SCRIPTS = """
arabic armenian bengali bopomofo braille cherokee coptic cyrillic deseret devanagari ethiopic georgian gothic greek
gujarati gurmukhi han hangul hebrew hiragana kannada katakana khmer lao latin malayalam mongolian myanmar ogham oriya
runic sinhala syriac tamil telugu thaana thai tibetan yi common inherited
"""
_BINARY = {
    "alphabetic": r"\p{IsAlphabetic}",
    "alpha": r"\p{IsAlphabetic}",
    "lowercase": r"\p{IsLowercase}",
    "lower": r"\p{IsLowercase}",
    "uppercase": r"\p{IsUppercase}",
    "upper": r"\p{IsUppercase}",
    "whitespace": r"\p{IsWhite_Space}",
    "space": r"\p{IsWhite_Space}",
    "ideographic": r"\p{IsIdeographic}",
    "hexdigit": r"\p{IsHex_Digit}",
    "joincontrol": r"\p{IsJoin_Control}",
}
# Of POSIX, as Unicode's Technical Standard 18 has them.
_POSIX = {
    "alpha": r"\p{IsAlphabetic}",
    "lower": r"\p{IsLowercase}",
    "upper": r"\p{IsUppercase}",
    "punct": r"\p{P}",
    "digit": r"\p{Nd}",
    "xdigit": r"\p{Nd}\p{IsHex_Digit}",
    "alnum": r"\p{IsAlphabetic}\p{Nd}",
    "space": r"\p{IsWhite_Space}",
    "blank": r"\p{Zs}\t",
    "cntrl": r"\p{Cc}",
    "graph": r"[^\p{IsWhite_Space}\p{Cc}\p{Cs}\p{Cn}]",
    "print": r"[^\p{IsWhite_Space}\p{Cc}\p{Cs}\p{Cn}]\p{Zs}",
}
_POSIX_ASCII: dict[str, tuple[tuple[int, int], ...]] = {
    "alpha": ((65, 90), (97, 122)),
    "lower": ((97, 122),),
    "upper": ((65, 90),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "digit": ((48, 57),),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "space": ((9, 13), (32, 32)),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 31), (127, 127)),
    "graph": ((33, 126),),
    "print": ((32, 126),),
    "ascii": ((0, 127),),
    "word": ((48, 57), (65, 90), (95, 95), (97, 122)),
}
# What is equal to one of the set but for case, and not in it: of most there is nothing.
_EXTRA = {
    "L": "\u0345",
    "LC": "\u0345",
    "M": "\u0399\u03b9\u1fbe",
    "Mn": "\u0399\u03b9\u1fbe",
    "greek": "\u00b5\u0345",
    "common": "\u039c\u03bc",
    "inherited": "\u0399\u03b9\u1fbe",
}
_BY_CASE = {"Lu", "Ll", "Lt", "lower", "lowercase", "upper", "uppercase"}
_ALL = Ranges(((0, 0x10FFFF),))


def _categories() -> dict[str, str]:
    known = {}
    for line in re.split(r"[|\n]", _CATEGORIES.strip()):
        short, *long = line.split()
        known.update({n.lower(): short for n in (short, *long)})
    return known


_CATEGORY = _categories()
_SCRIPT = frozenset(_SCRIPTS.split())


def named(text: str, flavour: Flavour) -> Set:
    r"""The set of a name as it stands in `\p{…}`. Raises RegexError for those that Java and ICU may see differently."""
    name, _, value = (re.sub(r"[\s_-]", "", part).lower() for part in text.partition("="))
    if name in ("generalcategory", "gc") and value in _CATEGORY:
        return _category(value)
    if name in ("script", "sc") and value in _SCRIPT:
        return _script(value)
    if value:
        raise RegexError(f"the property {text!r}, of which Java may have another idea")
    if text.startswith("Is") and name[2:] in _CATEGORY.keys() | _SCRIPT:
        name = name[2:]
    found = _plain(name, flavour)
    if found is None:
        raise RegexError(f"the property {text!r}, of which Java may have another idea")
    return found


def _plain(name: str, flavour: Flavour) -> Set | None:
    if name in ("any", "all"):
        return _ALL
    if name == "ascii":
        return Ranges(((0, 127),))
    if name == "assigned":
        return Complement(_category("cn"))
    if name in _BINARY:
        return Property(name, _BINARY[name], None if name in _BY_CASE else "")
    if name in _CATEGORY:
        return _category(name)
    if name in _SCRIPT:
        return _script(name)
    if name == "word" and flavour.any_escape:
        return letter("w", flavour)
    if name in _POSIX and flavour.posix:
        return Property(name, _POSIX[name])
    return None


def _category(name: str) -> Property:
    short = _CATEGORY[name]
    if short == "LC":
        return Property(short, r"\p{Lu}\p{Ll}\p{Lt}", None)
    return Property(short, rf"\p{{{short}}}", None if short in _BY_CASE else _EXTRA.get(short, ""))


def _script(name: str) -> Property:
    return Property(name, rf"\p{{Is{name.capitalize()}}}", _EXTRA.get(name, ""))


def posix(name: str, flavour: Flavour) -> Set:
    """The set of `[:name:]`; with `^` before the name all others."""
    if name.startswith("^"):
        return Complement(posix(name[1:], flavour))
    if flavour.posix:
        known = name.lower()
        if known in _POSIX:
            return Property(known, _POSIX[known], None if known in _BY_CASE else "")
        return named(name, flavour)
    if name not in _POSIX_ASCII:
        raise RegexError(f"the class {name!r}, which {flavour.name} does not know")
    return Ranges(_POSIX_ASCII[name])


def letter(char: str, flavour: Flavour) -> Set:
    r"""The set of `\w`, `\D`, `\s` and their like."""
    if char.isupper():
        return Complement(letter(char.lower(), flavour))
    if char == "h":
        return Property("h", r"\t\p{Zs}")
    if char == "v":
        return Property("v", r"\v")
    if flavour.unicode:
        return Property(char, rf"\{char}", unicode=True)
    return Ranges(
        {"w": _POSIX_ASCII["word"], "d": ((48, 57),), "s": ((9, 10), (12, 13), (32, 32))}[char]
    )
