"""A dialect of the user's own: a folder with ``dialect.yaml``, lines in other files, and extension files.

    acme/
      dialect.yaml             metadata: {extends: spark}
      functions.yaml           lines; any number of files, of any name
      extensions/geo.yaml      Substrait extension files: whatever has a `urn`, here or beside dialect.yaml
      reserved.txt             what `metadata` of dialect.yaml may name: see `target`

docs/custom_functions.md is the page for users. Everything is checked when the folder is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.custom import checks as own_checks
from substrait_sql.dialect.custom import target as own_target
from substrait_sql.dialect.custom.lines import OwnLine
from substrait_sql.dialect.files import official
from substrait_sql.dialect.files.extension_file import KINDS, ExtensionFile
from substrait_sql.dialect.files.yaml_file import YamlFile
from substrait_sql.dialect.line import MAIN
from substrait_sql.dialect.load import available, installed, is_path, offered
from substrait_sql.dialect.target import Said, Target
from substrait_sql.errors import Diagnostic, DialectError
from substrait_sql.schema.functions import stem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.dialect.line import Line
    from substrait_sql.schema.functions import FunctionName

_MOST = 20
_PATTERNS = ("*.yaml", "*.yml", "*.txt")


@dataclass(frozen=True)
class Files:
    """The files of one folder by their place in it, as they were read: equal if they say the same."""

    path: Path
    label: str
    found: tuple[tuple[str, bytes], ...]

    def file(self, name: str) -> YamlFile:
        """One file."""
        return YamlFile(f"{self.label}/{name}", dict(self.found)[name])

    def text(self, name: str) -> str:
        """The text of a file beside ``dialect.yaml``."""
        if name not in dict(self.found):
            raise FileNotFoundError(f"there is no such file beside {MAIN}")
        return dict(self.found)[name].decode()

    @property
    def documents(self) -> list[str]:
        """The YAML files."""
        return [name for name, _ in self.found if not name.endswith(".txt")]


@dataclass(frozen=True)
class Chain:
    """A folder and those it extends, nearest first, down to a dialect that ships with this package."""

    folders: tuple[Files, ...]
    base: str


def read(path: Path) -> Chain:
    """The files of a user's dialect. Raises SS2403 for a folder that is none, SS2404 for what is no YAML."""
    folders: list[Files] = []
    wanted = path
    while True:
        files = _files(wanted)
        if any(f.path == files.path for f in folders):
            raise DialectError.of("SS2403", f"the dialect {path} extends itself", files.label)
        folders.append(files)
        parent = _extends(files)
        if parent in available():
            return Chain(tuple(folders), parent)
        wanted = installed().get(parent) or files.path / parent


def _files(path: Path) -> Files:
    main = path / MAIN
    if not main.is_file():
        what = "is a file, not a folder" if path.is_file() else f"has no {MAIN}"
        what = what if path.exists() else "is not there"
        raise DialectError.of(
            "SS2403",
            f"the folder of a dialect {what}: {path}",
            hint=f"a folder with {MAIN} in it, or one of: {', '.join(offered())}",
        )
    names = sorted(
        str(found.relative_to(path).as_posix())
        for folder in (path, path / "extensions")
        for ending in _PATTERNS
        for found in folder.glob(ending)
        if found.is_file()
    )
    try:
        return Files(path.resolve(), str(path), tuple((n, (path / n).read_bytes()) for n in names))
    except OSError as error:
        what = f"a file of the dialect cannot be read: {error}"
        raise DialectError.of("SS2403", what, str(path)) from error


def _extends(files: Files) -> str:
    main = files.file(MAIN)
    metadata = main.raw.get("metadata")
    parent = metadata.get("extends") if isinstance(metadata, dict) else None
    if not isinstance(parent, str):
        hint = "write metadata: {extends: spark}"
        raise DialectError.of("SS2403", "the dialect extends no other", main.at(["metadata"]), hint)
    # Asking what is installed takes longer than all else of a folder that has been read before.
    if parent not in available() and not is_path(parent) and parent not in installed():
        raise DialectError.of(
            "SS2403",
            f"the dialect extends {parent}, which is not there",
            main.at(["metadata", "extends"]),
            f"there are: {', '.join(offered())}; a folder of yours is a path, such as ../{parent}",
        )
    return parent


@dataclass
class OwnFolder:
    """One folder's lines and types. rows: of types, with the name and the structure of each."""

    own = True
    files: Files
    said: Said
    extensions: dict[str, ExtensionFile] = field(default_factory=dict)
    types: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    _lines: dict[tuple[str, str], list[OwnLine]] = field(default_factory=dict)

    @property
    def open_options(self) -> dict[str, str]:
        """The values of options that plans leave open, by name, both in upper case."""
        found = self.files.file(MAIN).raw.get("metadata", {}).get("open_options") or {}
        return {str(name).upper(): str(value).upper() for name, value in found.items()}

    def all_lines(self) -> Iterator[Line]:
        """The lines of all functions."""
        return (line for found in self._lines.values() for line in found)

    def lines(self, kind: str, function: FunctionName) -> list[Line]:
        """The lines for a function of that name in that extension."""
        return [x for x in self._lines.get((kind, function.name), ()) if _means(x, function)]

    def named(
        self, kind: str, function: FunctionName, may_mean: Callable[[str], bool]
    ) -> list[Line]:
        """The lines for a function by its name alone, where the plan may mean one of these: asked of their producer."""
        found = self._lines.get((kind, function.name), ())
        return [
            x
            for x in found
            if (x.stem is not None or function.urn is None) and may_mean(x.producer)
        ]

    def names(self, kinds: Iterable[str]) -> dict[str, list[Line]]:
        """All lines of these kinds by the function's name."""
        return {name: list(found) for (kind, name), found in self._lines.items() if kind in kinds}

    def reason(self, extension: str, function: str) -> str:
        """Nothing: why a function has no line is said of Spark, not of what is added to it."""
        return ""

    def add(self, line: OwnLine) -> None:
        """Takes a line in."""
        self._lines.setdefault((line.kind, line.name), []).append(line)


def _means(line: Line, function: FunctionName) -> bool:
    if function.stem is not None:
        return line.stem == function.stem
    return function.urn is not None and line.urn == function.urn


def build(chain: Chain, shipped: Sequence[Said]) -> list[OwnFolder]:
    """The folders of a chain, nearest first, checked. Raises `DialectError` with everything that is wrong.

    shipped: what the dialects that ship with this package say of the text, nearest first.
    """
    found: list[OwnFolder] = []
    below = list(shipped)
    wrong: list[Diagnostic] = []
    extensions: dict[str, ExtensionFile] = {}
    # From the bottom: a folder may have lines for the extension files of those that it extends.
    for files in reversed(chain.folders):
        said, problems = own_target.read(files.file(MAIN), files.text, below)
        below.insert(0, said)
        wrong += problems
        folder = OwnFolder(files, said)
        wrong += _Reader(folder, extensions, Target(below).builtins).read()
        found.insert(0, folder)
    if wrong:
        raise DialectError(wrong[:_MOST])
    return found


class _Reader:
    """Reads one folder. extensions: those known so far, by URN; its own are added. builtins: the engine's functions."""

    def __init__(
        self, folder: OwnFolder, extensions: dict[str, ExtensionFile], builtins: Builtins
    ) -> None:
        self.folder = folder
        self.builtins = builtins
        self.extensions = extensions
        self.seen: dict[tuple[str, str, str, str], str] = {}

    def read(self) -> list[Diagnostic]:
        """Fills the folder; returns what is wrong."""
        files = [(name, self.folder.files.file(name)) for name in self.folder.files.documents]
        wrong: list[Diagnostic] = []
        documents: list[YamlFile] = []
        for name, file in files:
            try:
                is_extension = "urn" in file.raw
            except DialectError as error:
                wrong += error.diagnostics
                continue
            if is_extension:
                wrong += self._extension(file, Path(name).stem)
            elif name.startswith("extensions/"):
                wrong.append(file.problem("SS2405", "an extension file has a urn", []))
            else:
                documents.append(file)
        if not wrong:
            for file in documents:
                wrong += self._document(file)
        return wrong

    def _extension(self, file: YamlFile, stem: str) -> list[Diagnostic]:
        extension = ExtensionFile(file, stem)
        wrong = list(extension.problems())
        for other in self.extensions.values():
            if other.urn == extension.urn or other.stem == stem:
                what = f"{other.file.label} is the same extension, by its URN or by its name"
                wrong.append(file.problem("SS2405", what, ["urn"]))
            for name in () if wrong else sorted(extension.types.keys() & other.types.keys()):
                what = f"{other.file.label} has a type {name}, too"
                wrong.append(file.problem("SS2405", what, ["types"], "name one of them otherwise"))
        if not wrong:
            self.extensions[extension.urn] = self.folder.extensions[extension.urn] = extension
            for name, structure in extension.types.items():
                if structure is not None and name not in extension.parametrised:
                    self.folder.types[name] = {"structure": structure}
        return wrong

    def _document(self, file: YamlFile) -> list[Diagnostic]:
        wrong = list(own_checks.document_problems(file))
        if wrong:
            return wrong
        sources = file.raw.get("dependencies", {})
        for alias, urn in sources.items():
            if urn not in self.extensions and not official.extension(stem_of(urn) or ""):
                what = f"no extension file has the URN {urn}"
                hint = own_checks.similar(urn, list(self.extensions))
                wrong.append(file.problem("SS2406", what, ["dependencies", alias], hint))
        if wrong:
            return wrong
        for kind in KINDS:
            for i, row in enumerate(file.raw.get(f"supported_{kind}_functions", ())):
                wrong += self._line(file, kind, row, (f"supported_{kind}_functions", i), sources)
        for i, row in enumerate(file.raw.get("supported_types", ())):
            wrong += self._type(file, row, ("supported_types", i), sources)
        return wrong

    def _line(
        self,
        file: YamlFile,
        kind: str,
        row: Mapping[str, Any],
        at: tuple[str | int, ...],
        sources: Mapping[str, str],
    ) -> list[Diagnostic]:
        urn, name = sources.get(row["source"], ""), row["name"]
        if not urn:
            hint = own_checks.similar(row["source"], list(sources))
            what = f"{row['source']} is not among the dependencies of this file"
            return [file.problem("SS2406", what, (*at, "source"), hint)]
        own = self.extensions.get(urn)
        stem = stem_of(urn) or ""
        known = own.impls(kind, name) if own else dict(official.impls(stem, kind, name))
        if not known:
            names = own.functions(kind) if own else _names(official.extension(stem), kind)
            what = f"{urn} has no {kind} function {name}"
            return [file.problem("SS2406", what, (*at, "name"), own_checks.similar(name, names))]
        line = OwnLine(kind, urn, row, file.label, known, self.builtins)
        wrong = list(own_checks.line_problems(line, file, at))
        for impl in line.impls:
            key = kind, urn, name, impl
            if key in self.seen:
                what = f"{self.seen[key]} is a line for {name}:{impl}, too"
                wrong.append(file.problem("SS2406", what, (*at, "supported_impls")))
            self.seen[key] = file.at(at)
        self.folder.add(line)
        return wrong

    def _type(
        self, file: YamlFile, row: Any, at: tuple[str | int, ...], sources: Mapping[str, str]
    ) -> Iterator[Diagnostic]:
        if not isinstance(row, dict) or row["type"] != "USER_DEFINED":
            what = "what Spark holds Substrait's own types in is not for a dialect to change"
            yield file.problem("SS2408", what, at, "list types of extension files of yours only")
            return
        extension = self.extensions.get(sources.get(row["source"], ""))
        name = row["name"].lower()
        if extension is None or name not in extension.types:
            yield file.problem(
                "SS2408", f"{row['source']} has no type {row['name']}", (*at, "name")
            )
            return
        if name in extension.parametrised:
            what = f"the type {row['name']} has parameters, and such types have no SQL here"
            yield file.problem("SS2408", what, (*at, "name"))
            return
        found = dict(self.folder.types.get(name, {"structure": extension.types[name]}))
        text = row.get("system_metadata", {}).get("name")
        if text is None and found["structure"] is None:
            what = f"the extension file says no structure of {row['name']}"
            hint = "name a type of Spark: system_metadata: {name: STRING}"
            yield file.problem("SS2408", what, at, hint)
        if text is not None and not own_checks.is_type(text):
            what = f"{text!r} is not a type of Spark"
            yield file.problem("SS2408", what, (*at, "system_metadata", "name"))
        if row.get("system_metadata", {}).get("supported_as_column") is False:
            what = "a type that is no column is of no use in a query"
            yield file.problem("SS2408", what, (*at, "system_metadata"))
        self.folder.types[name] = found | {"name": text}


def _names(extension: Mapping[str, Any], kind: str) -> list[str]:
    return [f["name"] for f in extension.get(f"{kind}_functions", ())]
