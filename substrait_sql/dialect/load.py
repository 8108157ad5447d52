"""Reads ``dialects/<name>/``.

One official Substrait dialect document per extension file, a line per function.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache, cached_property
from importlib.util import find_spec
from os import PathLike, listdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql import resources
from substrait_sql.dialect import target
from substrait_sql.dialect.facts import FactError
from substrait_sql.dialect.files import official
from substrait_sql.dialect.files.entries import KINDS, Entries
from substrait_sql.dialect.files.widths import spread
from substrait_sql.dialect.line import MAIN, Line
from substrait_sql.errors import DialectError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from substrait_sql.dialect.files.extension_file import ExtensionFile
    from substrait_sql.schema.functions import FunctionName

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
GROUP = "substrait_sql.dialects"


class Document:
    """One file of a dialect, its lines by kind and function name. It is read when a function of it is asked for.

    ``metadata`` may say ``by_name: false`` (a plan has to name the extension) and ``producer: duckdb`` (bare names mean
    these lines in plans of that producer, see `resolve`).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries = Entries(path.read_text(encoding="utf-8"))
        # Those that were asked for.
        self._found: dict[tuple[str, str], list[Line]] = {}

    def may_have(self, name: str) -> bool:
        """Whether it is worth reading for a function of this name."""
        return self._entries.may_have(name)

    @property
    def _metadata(self) -> Mapping[str, Any]:
        return self._entries.head.get("metadata") or {}

    @property
    def by_name(self) -> bool:
        """Whether bare names mean these functions."""
        return bool(self._metadata.get("by_name", True))

    @property
    def producer(self) -> str:
        """Whose plans alone mean these functions, empty for everybody's."""
        return str(self._metadata.get("producer", ""))

    @cached_property
    def lines(self) -> Mapping[tuple[str, str], Sequence[Line]]:
        """All of them."""
        return {k: self._found.setdefault(k, v) for k, v in self._lines(self._entries.all).items()}

    def find(self, kind: str, name: str) -> Sequence[Line]:
        """The lines for a function."""
        if (kind, name) not in self._found:
            made = self._lines(self._entries.of(name))
            for each in KINDS:
                self._found.setdefault((each, name), made.get((each, name), []))
        return self._found[kind, name]

    def _lines(
        self, rows: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
    ) -> dict[tuple[str, str], list[Line]]:
        sources = self._entries.head.get("dependencies", {})
        found: dict[tuple[str, str], list[Line]] = {}
        for (kind, name), of_name in rows.items():
            lines = found[kind, name] = []
            for row in of_name:
                urn = sources.get(row["source"], row["source"])
                lines += [
                    Line(kind, urn, each, self.path.name, self.producer) for each in spread(row)
                ]
            for line in lines:
                _check_facts(line)
        return found


def _check_facts(line: Line) -> None:
    """Facts are few and change rows: a wrong word is no matter of the first plan that meets it."""
    if "facts" in line.metadata:
        try:
            assert line.facts is not None
        except FactError as error:
            raise DialectError.of("SS2406", f"{line}: {error}", line.file) from error


class Folder:
    """The files of one dialect.

    The file of an extension is found by its name, ``functions_string`` in ``string.yaml``.
    """

    own = False

    def __init__(self, path: Path) -> None:
        self.path = path
        # Those of Substrait's own come with its package.
        self.extensions: Mapping[str, ExtensionFile] = {}
        self._read: dict[str, Document | None] = {}

    @cached_property
    def main(self) -> Mapping[str, Any]:
        """``dialect.yaml``: the name, what the dialect extends, its types."""
        path = self.path / MAIN
        found: Mapping[str, Any] = yaml.load(path.read_bytes(), _LOADER) if path.is_file() else {}
        return found

    @cached_property
    def said(self) -> target.Said:
        """What ``dialect.yaml`` says of the text itself."""
        return target.read(self.main.get("metadata", {}), self._text)

    def _text(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")

    def document(self, name: str) -> Document | None:
        """The file ``<name>.yaml``, None where the dialect has none."""
        if name not in self._read:
            path = self.path / f"{name}.yaml"
            self._read[name] = Document(path) if path.is_file() else None
        return self._read[name]

    def extension(self, stem: str) -> Document | None:
        """The file for an official extension."""
        if not official.is_stem(stem):
            return None
        return self.document(stem.removeprefix("functions_"))

    def lines(self, kind: str, function: FunctionName) -> Sequence[Line]:
        """The lines for a function of that name in that extension."""
        if function.stem:
            document = self.extension(function.stem)
            if document is None or not document.may_have(function.name):
                return ()
            return document.find(kind, function.name)
        if function.urn is None:
            return ()
        found = [x for d in self._holding(function.name) for x in d.find(kind, function.name)]
        return [x for x in found if x.urn == function.urn] or self._builtin(kind, function)

    def _holding(self, name: str) -> list[Document]:
        """The files that may have a function: first those whose functions are meant by their bare names."""
        found = [d for d in self.documents() if d.may_have(name)]
        return sorted(found, key=lambda d: not d.by_name)

    @cached_property
    def gives_back(self) -> dict[str, str]:
        """How the type of a function of the engine follows from its arguments, for those that give one of them back."""
        said = (self.main.get("metadata") or {}).get("gives_back") or {}
        return {name: how for how, names in said.items() for name in names.split()}

    @cached_property
    def _widening(self) -> dict[str, list[str]]:
        """The facts of the engine's functions that make their numbers wider by themselves, as its operators do."""
        said = (self.main.get("metadata") or {}).get("widening") or {}
        found: dict[str, list[str]] = {}
        for fact, names in said.items():
            for name in names.split():
                found.setdefault(name, []).append(fact)
        return found

    def _builtin(self, kind: str, function: FunctionName) -> Sequence[Line]:
        """A function of the engine itself, called by its own name: ``functions`` of the dialect's own file."""
        urn = (self.main.get("metadata") or {}).get("functions")
        if urn is None or function.urn != urn or self.said.builtins.kind(function.name) != kind:
            return ()
        drawn = self.said.builtins.is_drawn(function.name)
        row: dict[str, Any] = {
            "name": function.name,
            "supported_impls": ["any" if function.signature is None else function.signature],
            # What Spark makes of a call depends on the very types of its arguments.
            "metadata": {"exact": True, "renames": True, "deterministic": not drawn},
        }  # fmt: skip
        if function.name in self.gives_back:
            row["metadata"]["returns"] = self.gives_back[function.name]
        if function.name in self._widening:
            row["metadata"]["facts"] = self._widening[function.name]
        if kind == "window" and function.name != "nth_value":
            row["metadata"]["facts"] = ["frameless", "needs_order"]
        if kind == "aggregate" and self.said.builtins.is_ordered(function.name):
            row["metadata"]["facts"] = ["within_group"]
        if function.signature is None or "any" in function.signature.split("_"):
            row["variadic"] = {"min": 0}
        return [Line(kind, urn, row, MAIN)]

    def named(
        self, kind: str, function: FunctionName, may_mean: Callable[[str], bool]
    ) -> Sequence[Line]:
        """The lines for a function by its name alone, where the plan may mean one of these: asked of their producer."""
        return [
            line
            for document in self._holding(function.name)
            if document.by_name and may_mean(document.producer)
            for line in document.find(kind, function.name)
        ]

    def names(self, kinds: Sequence[str]) -> dict[str, list[Line]]:
        """All lines of these kinds by the function's name."""
        found: dict[str, list[Line]] = {}
        for document in self.documents():
            for (kind, name), lines in document.lines.items():
                if kind in kinds:
                    found.setdefault(name, []).extend(lines)
        return found

    def all_lines(self) -> Iterator[Line]:
        """The lines of all functions."""
        return (x for d in self.documents() for found in d.lines.values() for x in found)

    def reason(self, extension: str, function: str) -> str:
        """Why there is no line for a function, from ``support/functions.yaml``; empty where that says nothing."""
        path = self.path / "support" / "functions.yaml"
        rows = yaml.load(path.read_bytes(), _LOADER)["overloads"] if path.is_file() else ()
        for row in rows:
            if fnmatchcase(extension, row["file"]) and fnmatchcase(function, row.get("name", "*")):
                return str(row["reason"])
        return ""

    def documents(self) -> Sequence[Document]:
        """All files by name, those for official extensions before the producers'."""
        return self._documents

    @cached_property
    def _documents(self) -> Sequence[Document]:
        names = sorted(p.stem for p in self.path.glob("*.yaml") if p.name != MAIN)
        names += sorted(f"producers/{p.stem}" for p in self.path.glob("producers/*.yaml"))
        return [d for d in map(self.document, names) if d is not None]


def is_path(dialect: object) -> bool:
    """Whether this is the folder of a user's own dialect, rather than the name of one that ships with this package.

    Raises `UnsupportedError` SS2401 for what is neither.
    """
    if not isinstance(dialect, (str, PathLike)):
        what = f"a dialect is a name or the path of a folder, not of type {type(dialect).__name__}"
        raise UnsupportedError.of("SS2401", what)
    return (
        not isinstance(dialect, str) or bool(set("/\\") & set(dialect)) or dialect.startswith(".")
    )


def installed() -> Mapping[str, Path]:
    """The folders of dialects that other packages bring, by name: the entry points `substrait_sql.dialects`.

    An entry point names the package whose folder has the ``dialect.yaml``. Nothing of it is imported, but for the
    packages around it.
    """
    from importlib.metadata import entry_points

    found: dict[str, Path] = {}
    for point in entry_points(group=GROUP):
        spec = find_spec(point.module)
        for place in (spec and spec.submodule_search_locations) or ():
            if (Path(place) / MAIN).is_file():
                found.setdefault(point.name, Path(place))
    return found


def chain(name: str) -> list[Folder]:
    """The dialect's own folder and those it extends, nearest first."""
    out: list[Folder] = []
    wanted: str | None = name
    while wanted is not None:
        path = resources.DIALECTS / wanted
        if any(folder.path == path for folder in out):
            raise ValueError(f"dialect {name!r} extends itself")
        if not wanted.isidentifier() or wanted not in listdir(resources.DIALECTS):
            raise UnsupportedError.of(
                "SS2401",
                f"there is no dialect {wanted!r}",
                hint=f"there are: {', '.join([*offered(), *installed()])}; "
                f"a folder of yours is a path, such as ./{wanted}",
            )
        folder = Folder(path)
        out.append(folder)
        wanted = folder.main.get("metadata", {}).get("extends")
    return out


def offered() -> list[str]:
    """The names of the dialects that map something: those that extend another one."""
    mains = ((name, Folder(resources.DIALECTS / name).main) for name in available())
    return [name for name, main in mains if "extends" in main.get("metadata", {})]


@cache
def available() -> tuple[str, ...]:
    """The names of the dialects that can be loaded."""
    return tuple(sorted(p.name for p in resources.DIALECTS.iterdir() if (p / MAIN).is_file()))
