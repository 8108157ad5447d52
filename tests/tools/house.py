"""The state of the house: ``python -m tests.tools.house`` prints circles among imports, the largest folder and module.

``make check`` runs it. It fails on any circle (imports for annotations count), on a folder of more than 18 modules and
on a module of more than 400 lines.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
PACKAGE = "substrait_sql"
MOST_MODULES, MOST_LINES = 18, 400

Imports = dict[str, set[str]]


def imports() -> Imports:
    """Each module of the package, with those of the package that it imports."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    return {
        module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules
    }


def circles(graph: Imports) -> list[set[str]]:
    """The sets of modules that all reach one another, the largest first.

    >>> [sorted(c) for c in circles({"a": {"b"}, "b": {"a", "c"}, "c": set()})]
    [['a', 'b']]
    """
    rest = set(graph)
    found = []
    while rest:
        start = rest.pop()
        around = _reached(start, graph) & _reached(start, _turned(graph))
        rest -= around
        if around:
            found.append(around)
    return sorted(found, key=len, reverse=True)


def _reached(start: str, graph: Imports) -> set[str]:
    """What can be reached in one step or more."""
    seen: set[str] = set()
    stack = [start]
    while stack:
        fresh = graph.get(stack.pop(), set()) - seen
        seen |= fresh
        stack += fresh
    return seen


def _turned(graph: Imports) -> Imports:
    turned: Imports = {module: set() for module in graph}
    for module, imported in graph.items():
        for each in imported:
            turned.setdefault(each, set()).add(module)
    return turned


def lines() -> dict[Path, int]:
    """How many lines each module has."""
    paths = sorted((ROOT / PACKAGE).rglob("*.py"))
    return {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in paths}


def main() -> int:
    """Prints the state; 1 if something is beyond its bound."""
    found = circles(imports())
    long = lines()
    wide = Counter(path.parent for path in long if path.name != "__init__.py")
    for circle in found:
        print("a circle of imports:", ", ".join(sorted(circle)))
    folder, modules = wide.most_common(1)[0]
    module, length = max(long.items(), key=lambda item: item[1])
    print(f"circles among imports   {len(found)}")
    print(f"largest folder          {modules} modules, {folder}")
    print(f"largest module          {length} lines, {module}")
    rooms: Counter[str] = Counter()
    for path, count in long.items():
        rooms[path.parts[1] if len(path.parts) > 2 else "(top)"] += count
    for room, count in rooms.most_common():
        print(f"{count:7,} lines  {room}")
    print(f"{sum(rooms.values()):7,} lines in all")
    return int(bool(found) or modules > MOST_MODULES or length > MOST_LINES)


if __name__ == "__main__":
    sys.exit(main())
