"""Values of a plan's parameters: of ``--param``, of the environment, of a file; who comes first in this order wins."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.errors import ExecutionError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from substrait_sql.rendered import Rendered


@dataclass(frozen=True, slots=True)
class Given:
    """What was given. prefix: how the variables of the environment begin, behind which the anchor stands."""

    options: Mapping[int, str]
    prefix: str | None = None
    file: Mapping[int, Any] = field(default_factory=dict)

    def of(self, rendered: Rendered) -> dict[int, Any]:
        """The values for a plan. Those of the environment are looked up for what it asks for."""
        named: dict[int, Any] = {}
        if self.prefix is not None:
            for name in rendered.parameters:
                anchor = name.removeprefix("p")
                if self.prefix + anchor in os.environ:
                    named[int(anchor)] = os.environ[self.prefix + anchor]
        return {**self.file, **named, **self.options}


def read_values(path: Path) -> dict[int, Any]:
    """The values in a YAML or JSON file: texts as they stand there, NULL, lists and mappings of these.

    Raises `ExecutionError` SS4075.
    """
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=_AsWritten)
    except (OSError, ValueError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise ExecutionError.of("SS4075", f"{path} cannot be read: {said}") from error
    if found is None:
        return {}
    hint = "one line each: 3: 2024-01-31"
    if not isinstance(found, dict):
        raise ExecutionError.of("SS4075", f"{path} is no mapping of anchors to values", hint=hint)
    values = {}
    for key, value in found.items():
        anchor = str(key)
        if not (anchor.isascii() and anchor.isdigit()):
            message = f"{path} has {anchor!r}, and parameters have numbers"
            raise ExecutionError.of("SS4075", message, hint=hint)
        values[int(anchor)] = value
    return values


class _AsWritten(yaml.SafeLoader):
    """Leaves numbers, days and words as they are written: a float would lose digits, and Spark reads texts itself."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [
            pair
            for pair in pairs
            if pair[0] in ("tag:yaml.org,2002:null", "tag:yaml.org,2002:merge")
        ]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """As usual, but for a key that is there twice."""
        keys = [str(key.value) for key, _ in node.value]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise yaml.YAMLError(f"{', '.join(twice)} is there twice")
        return dict(super().construct_mapping(node, deep))
