"""Tables of a Spark session, classic or Connect: asked for when a text names them.

Nothing here imports pyspark: a session is known by what it can do.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SqlError
from substrait_sql.lift.schemas.catalog import Catalog, Table
from substrait_sql.lift.typing.json_types import columns_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.lift.typing.types import SparkType


class SessionCatalog(Catalog):
    """What a session knows by name."""

    def __init__(self, session: Any, parameters: Mapping[str, SparkType] | None = None) -> None:
        super().__init__((), parameters)
        self._session = session
        self._known: dict[tuple[str, ...], Table | None] = {}

    def table(self, parts: Sequence[str]) -> Table | None:
        """The table or view of this name, as the session finds it; None where it finds none."""
        key = tuple(p.casefold() for p in parts)
        if key not in self._known:
            self._known[key] = self._found(parts)
        return self._known[key]

    def add(self, table: Table) -> None:
        """Know a table that a statement would have made."""
        self._known[tuple(p.casefold() for p in table.name)] = table

    def whole(self, name: tuple[str, ...]) -> tuple[str, ...]:
        """The name with catalog and namespace; that of a temporary view as it is."""
        try:
            found = self._session.catalog.getTable(_quoted(name))
        except Exception:  # Spark has many errors for what is no table; describing it says which
            return name
        space = () if found.catalog is None else (found.catalog,)
        return (*space, *(found.namespace or ()), found.name)

    def _found(self, parts: Sequence[str]) -> Table | None:
        name = _quoted(parts)
        try:
            described = json.loads(self._session.table(name).schema.json())
        except Exception as error:
            # The session's own word for a name that nothing has. All else is no answer.
            if type(error).__name__ in ("AnalysisException", "ParseException"):
                return None
            raise SqlError.of(
                "SS5010", f"the session does not say what {name} is: {str(error).splitlines()[0]}"
            ) from error
        return Table(tuple(parts), tuple(columns_of(described)), defaults=defaults_of(described))

    def names(self) -> list[str]:
        """The tables of the current namespace."""
        try:
            return [t.name for t in self._session.catalog.listTables()]
        except Exception:  # a catalog that lists none: the names are for hints only
            return []


def _quoted(parts: Sequence[str]) -> str:
    return ".".join("`" + p.replace("`", "``") + "`" for p in parts)


def defaults_of(described: Mapping[str, Any]) -> dict[str, str]:
    """The texts of the defaults that columns of a table have, by their names in lower case."""
    said = {
        f["name"]: (f.get("metadata") or {}).get("CURRENT_DEFAULT") for f in described["fields"]
    }
    return {name.casefold(): text for name, text in said.items() if text is not None}
