"""Whether files lie below the folders that a policy allows, whatever a path does to look as if they did.

A path is taken apart as Hadoop takes it, which is not as this machine does: it knows neither links nor `~`, and drops
`..` before anybody has looked. What the two could read differently is refused. On this machine links are followed,
those behind a pattern and below a folder, too; of other file systems there is the name alone.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Encoded once more: a reader that decodes again would read another place.
_ENCODED = re.compile(r"%(2e|2f|5c|25|00)", re.IGNORECASE)
_LOCAL = "file"


class Undecided(ValueError):
    """Nobody can tell from a path where it leads; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Step:
    """A name in a path. text: of a pattern what stands before its first sign. pattern: whether it is one."""

    text: str
    pattern: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads. bare: it had no scheme, so that Spark's own file system decides which it is."""

    scheme: str
    host: str
    steps: tuple[Step, ...]
    bare: bool = False

    @property
    def fixed(self) -> tuple[str, ...]:
        """The names before the first pattern."""
        found = []
        for step in self.steps:
            if step.pattern:
                break
            found.append(step.text)
        return tuple(found)


def scheme_of(text: str) -> str:
    """The scheme of a path in lower case; ``file`` for one without."""
    found = _SCHEME.match(text)
    return found[1].lower() if found else _LOCAL


def place_of(text: str, *, pattern: bool = False) -> Place:
    """The place that a path names. pattern: whether signs in it stand for others, and a backslash takes that away.

    Raises `Undecided`.
    """
    if any(ord(c) < 32 or ord(c) == 127 for c in text):
        raise Undecided("it holds a control character")
    found = _SCHEME.match(text)
    scheme, host, rest = "", "", text
    if found is not None:
        scheme, rest = found[1].lower(), text[found.end() :]
    if rest.startswith("//"):
        if not scheme:
            raise Undecided("it begins with two slashes, behind which a host can be meant")
        host, slash, below = rest[2:].partition("/")
        rest = slash + below
    if scheme == _LOCAL:
        if host.lower() not in ("", "localhost"):
            raise Undecided("it names a host")
        host = ""
    if not rest.startswith("/"):
        raise Undecided("it is relative: give the whole path")
    steps = tuple(_step(s, pattern) for s in rest.split("/") if s not in ("", "."))
    if any(s.text == ".." and not s.pattern for s in steps):
        raise Undecided("it goes up again by '..'")
    return Place(scheme or _LOCAL, host.lower(), steps, not scheme)


def _step(text: str, pattern: bool) -> Step:
    if _ENCODED.search(text):
        raise Undecided("it is percent-encoded twice")
    if not pattern:
        if "\\" in text:
            raise Undecided("it holds a backslash")
        return Step(text)
    literal, at = "", 0
    while at < len(text):
        if text[at] == "\\":
            if text[at + 1 : at + 2] in ("", "\\"):
                raise Undecided("it holds a backslash")
            literal, at = literal + text[at + 1], at + 2
        elif text[at] in "{}":
            raise Undecided("it holds a choice in braces")
        elif text[at] in "*?[]":
            return Step(literal, pattern=True)
        else:
            literal, at = literal + text[at], at + 1
    return Step(literal)


class Roots:
    """The folders that a policy allows. Raises `Undecided` for one that is none."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = [place_of(root if _SCHEME.match(root) else _absolute(root)) for root in roots]
        self._real = [_real(r.fixed) for r in self._roots if r.scheme == _LOCAL]

    def why_not(self, place: Place) -> str:
        """Why files there may not be read, empty if they may. Raises `Undecided`."""
        named = any(_below(place, root) for root in self._roots)
        if place.scheme != _LOCAL:
            return "" if named else "it is in none of them"
        if place.bare and not named:
            return "it is in none of them"
        for path in _led_to(place):
            if not self._holds(path):
                return f"it leads to {path!r}" if named else "it is in none of them"
        return ""

    def _holds(self, path: str) -> bool:
        return any(path == root or path.startswith(root.rstrip("/") + "/") for root in self._real)


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))


def _below(place: Place, root: Place) -> bool:
    if (place.scheme, place.host) != (root.scheme, root.host):
        return False
    return place.fixed[: len(root.fixed)] == root.fixed


def _real(steps: Sequence[str]) -> str:
    return os.path.realpath("/" + "/".join(steps))


def _led_to(place: Place) -> Iterator[str]:
    """The real paths of all that Spark may read there: what a pattern may match, and what links below lead to."""
    yield _real(place.fixed)
    waiting = [("/" + "/".join(place.fixed), place.steps[len(place.fixed) :])]
    seen: set[str] = set()
    while waiting:
        path, steps = waiting.pop()
        if not steps:
            yield from _links_below(path, seen)
            continue
        step, rest = steps[0], steps[1:]
        if not step.pattern:
            waiting.append((os.path.join(path, step.text), rest))
            continue
        # More than the pattern matches, never less: Hadoop's patterns are not those of this machine.
        names = [e.name for e in _entries(path) if e.name.startswith(step.text)]
        waiting += [(os.path.join(path, name), rest) for name in names]


def _links_below(path: str, seen: set[str]) -> Iterator[str]:
    real = os.path.realpath(path)
    yield real
    waiting = [real]
    while waiting:
        folder = waiting.pop()
        if folder in seen:
            continue
        seen.add(folder)
        for entry in _entries(folder):
            if entry.is_symlink():
                there = os.path.realpath(entry.path)
                yield there
                waiting.append(there)
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise Undecided(f"what is there cannot be seen: {error.strerror}") from error
