"""The signatures of Spark's functions: ``dialects/spark/signatures``, one line per function."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.lift.typing.casts import CLASSES, Expected
from substrait_sql.lift.typing.parse import parse_type
from substrait_sql.resources import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.lift.typing.types import SparkType

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FOLDER = DIALECTS / "spark" / "signatures"


@dataclass(frozen=True, slots=True)
class Signature:
    """What one function takes and returns; the keys are described in ``dialects/spark/signatures/README.md``."""

    name: str
    also: tuple[str, ...] = ()
    kind: str = "scalar"
    args: tuple[Expected, ...] = ()
    optional: int = 0
    variadic: int | None = None
    coercion: str = "implicit"
    returns: str = ""
    nullable: str = "args"
    rule: str = ""
    check: str = ""
    deterministic: bool = True
    session: bool = False
    zone: str = ""
    why: str = ""
    constant: tuple[int, ...] = ()
    within: Mapping[int, Sequence[int | float | str | None]] = field(
        default_factory=dict, hash=False
    )
    names: tuple[str, ...] = ()
    defaults: Mapping[int, str | None] = field(default_factory=dict, hash=False)
    lambdas: tuple[int, ...] = ()
    distinct: bool = True
    ignore_nulls: bool = False
    order: str = ""
    over: str = "any"
    others: tuple[Signature, ...] = field(default=(), repr=False)

    @property
    def least(self) -> int:
        """The fewest arguments."""
        if self.variadic is not None:
            return max(len(self.args) - 1, 0) + self.variadic
        return len(self.args) - self.optional

    def takes(self, count: int) -> bool:
        """Whether a call may have so many arguments."""
        return self.least <= count and (self.variadic is not None or count <= len(self.args))

    def expected(self, place: int) -> Expected:
        """What the argument at this place shall be, from 0."""
        return self.args[min(place, len(self.args) - 1)]

    def of(self, count: int) -> Signature | None:
        """This line or another one of the same name, for so many arguments."""
        return next((s for s in (self, *self.others) if s.takes(count)), None)


def known(name: str) -> Signature | None:
    """The signature of a function by any of its names; None where Spark has none by itself."""
    return table().get(name.strip("`").lower())


@cache
def table() -> Mapping[str, Signature]:
    """All signatures by all their names."""
    lines: dict[str, list[Signature]] = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        file = yaml.load(path.read_bytes(), _LOADER)
        for line in file["functions"]:
            lines.setdefault(line["name"], []).append(_signature({**file.get("all", {}), **line}))
    out: dict[str, Signature] = {}
    for first, *others in lines.values():
        whole = _with(first, others)
        for name in (whole.name, *whole.also):
            if name in out:
                raise ValueError(f"{name} has a line under {out[name].name} and under {whole.name}")
            out[name] = whole
    return out


def _with(first: Signature, others: Sequence[Signature]) -> Signature:
    from dataclasses import replace

    return replace(first, others=tuple(others)) if others else first


def _signature(line: Mapping[str, Any]) -> Signature:
    found = dict(line)
    for key in ("also", "constant", "names", "lambdas"):
        if key in found:
            found[key] = tuple(found[key])
    found["args"] = tuple(expected(str(text)) for text in line.get("args", ()))
    for key in ("returns", "nullable"):
        if key in found:
            found[key] = str(found[key])
    return Signature(**found)


@cache
def expected(text: str) -> Expected:
    """``string|binary`` as the types that it says."""
    parts = tuple(_part(part) for part in text.split("|"))
    return parts if len(parts) > 1 else parts[0]


def _part(text: str) -> str | SparkType:
    return text if text == "any" or text in CLASSES else parse_type(text)
