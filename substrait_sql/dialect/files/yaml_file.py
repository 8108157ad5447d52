"""YAML files that a user writes: read strictly, and with the line of each key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.errors import Diagnostic, DialectError
from substrait_sql.strict_yaml import LOADER, Strict

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class YamlFile:
    """One file. label: what errors call it."""

    label: str
    data: bytes

    @cached_property
    def raw(self) -> dict[str, Any]:
        """The mapping that the file is. Raises SS2404 where it is none, or is no YAML."""
        try:
            found = yaml.load(self.data, Strict)
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
            mark = getattr(error, "problem_mark", None)
            what = getattr(error, "problem", None) or str(error).split("\n")[0]
            place = f"{self.label}:{mark.line + 1}" if mark is not None else self.label
            raise DialectError.of("SS2404", f"this is not YAML: {what}", place) from error
        if found is None:
            return {}
        if not isinstance(found, dict):
            raise DialectError.of("SS2404", "the file is not a mapping of keys", self.label)
        return found

    def at(self, keys: Sequence[str | int]) -> str:
        """Where a key stands: ``acme/functions.yaml:12 supported_scalar_functions[0].metadata.sql``."""
        node: Any = yaml.compose(self.data, LOADER)
        line, text = 1, ""
        for key in keys:
            text += f"[{key}]" if isinstance(key, int) else f"{'.' if text else ''}{key}"
            found = _child(node, key)
            if found is not None:
                line, node = found
        return f"{self.label}:{line} {text}".rstrip()

    def problem(
        self, code: str, message: str, keys: Sequence[str | int], hint: str = ""
    ) -> Diagnostic:
        """A finding about a key of this file."""
        return Diagnostic(code, message, self.at(keys), hint)


def _child(node: Any, key: str | int) -> tuple[int, Any] | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return node.value[key].start_mark.line + 1, node.value[key]
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == str(key):
                return name.start_mark.line + 1, value
    return None
