"""Substrait types as a dialect writes them: ``decimal<15,2>`` is ``DECIMAL(15, 2)`` on Spark.

The names come from ``supported_types`` of the dialect's own file. What is not listed there has no
column type and is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import InvalidPlanError, UnsupportedError
from substrait_sql.schema import naming
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from substrait_sql.dialect.identifiers import Names

_KEYS: Mapping[str, str] = {k: k.upper() for k in ty.SHORT}
_MAX_DECIMAL = 38


class TypeNames:
    """The type names of one dialect, from the ``supported_types`` of its file. names: how it writes those of fields."""

    def __init__(self, listed: list[Any], names: Names) -> None:
        self._names = names
        self._rows: dict[str, Mapping[str, Any]] = {}
        for item in listed:
            row: Mapping[str, Any] = {"type": item} if isinstance(item, str) else item
            self._rows[f"u!{row['name']}" if "source" in row else row["type"]] = row
        self._texts: dict[bytes, str] = {}
        # What users' own types are made of, for those whose values can be written.
        self._structures: dict[str, Any] = {}

    @property
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """What the dialect says of each type, by its name in the file."""
        return self._rows

    def add(self, name: str, text: str | None, structure: Any) -> None:
        """A type of a user's own extension. text: the SQL type; by its structure if that is not said.

        Raises SS2301 for a structure that has no SQL type.
        """
        made = self.sql_type(structure) if structure is not None else None
        self._rows[f"u!{name}"] = {"type": name, "system_metadata": {"name": text or made}}
        if made is not None and (text is None or _same_text(text, made)):
            self._structures[name] = structure
        else:
            self._structures.pop(name, None)

    def structure(self, name: str) -> Any:
        """What a user's own type is made of, None where its values are somebody's secret."""
        return self._structures.get(name)

    def sql_type(self, t: Any, path: object = "") -> str:
        """The SQL text of a type, such as ``ARRAY<INT>``.

        Raises SS2301 and SS2302 for what the dialect cannot hold.
        """
        key = t.SerializeToString(deterministic=True) if t is not None else b""
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._write(t, path)
        return text

    def type_node(self, t: Any, path: object = "") -> exp.Expression:
        """The type as the target of a cast.

        It prints as `sql_type` has it: sqlglot's own types get some names wrong.
        """
        return exp.Var(this=self.sql_type(t, path))

    def _write(self, t: Any, path: object) -> str:
        k = ty.kind(t)
        row = self._rows.get(_KEYS.get(k or "", "") if k != "user_defined" else ty.short(t))
        # Spark has no keys that hold maps, of which it has no order.
        keyed = k == "map" and ty.holds(t.map.key, "map")
        if row is None or keyed or (k == "user_defined" and t.user_defined.type_parameters):
            raise UnsupportedError.of(
                "SS2301",
                f"there is no SQL type for {ty.text(t)}",
                path,
                "cast the value to a type that has one",
            )
        name = str(row.get("system_metadata", {}).get("name", row["type"]))
        self._check(t, row, path)
        match k:
            case "decimal":
                return f"{name}({t.decimal.precision}, {t.decimal.scale})"
            case "list":
                return f"{name}<{self.sql_type(t.list.type, path)}>"
            case "map":
                return (
                    f"{name}<{self.sql_type(t.map.key, path)}, {self.sql_type(t.map.value, path)}>"
                )
            case "struct":
                fields = (
                    f"{self._names.quote(field)}: {self.sql_type(c, path)}"
                    for field, c in zip(naming.field_names(t), t.struct.types, strict=True)
                )
                return f"{name}<{', '.join(fields)}>"
        return name

    def _check(self, t: Any, row: Mapping[str, Any], path: object) -> None:
        k, numbers = ty.kind(t), ty.parameters(t)
        if k == "decimal":
            precision, scale = numbers
            if not 0 < precision <= _MAX_DECIMAL or not 0 <= scale <= precision:
                raise UnsupportedError.of(
                    "SS2302", f"{ty.text(t)} is not a decimal of at most 38 digits", path
                )
        if numbers and numbers[0] < ty.LENGTHS.get(k or "", 0):
            raise InvalidPlanError.of("SS2303", f"{ty.text(t)} does not exist", path)
        most = row.get("max_precision")
        if most is not None and k != "decimal" and numbers and numbers[0] > most:
            raise UnsupportedError.of(
                "SS2302",
                f"{ty.text(t)} is finer than {most} decimal places of a second",
                path,
            )


def _same_text(a: str, b: str) -> bool:
    """Whether two texts of types are one type, but for spaces and case."""
    return "".join(a.split()).casefold() == "".join(b.split()).casefold()
