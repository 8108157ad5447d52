"""YAML and JSON that a user writes: a key that stands twice is an error, where Python would drop the first one."""

from __future__ import annotations

from typing import Any

import yaml

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader that is fastest here."""


class Strict(LOADER):  # type: ignore[misc]
    """Raises `yaml.constructor.ConstructorError` for a key that stands twice in one mapping."""


def _mapping(loader: Any, node: Any) -> dict[Any, Any]:
    seen: set[str] = set()
    for key, _ in node.value:
        text = str(key.value)
        if text in seen and key.tag != "tag:yaml.org,2002:merge":
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {text!r} stands twice", key.start_mark
            )
        seen.add(text)
    loader.flatten_mapping(node)
    found: dict[Any, Any] = loader.construct_mapping(node, deep=True)
    return found


Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The ``object_pairs_hook`` of `json.loads` that raises ValueError for a key that stands twice.

    >>> once([("a", 1)])
    {'a': 1}
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return found
