"""What a session is set to, as to texts: a plan is made of what they say to one with Spark's own defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.dialect import load
from substrait_sql.errors import SqlError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike


def check_settings(schema: Any, dialect: str | PathLike[str]) -> None:
    """Nothing, where a schema is no session, or one that reads texts as they are read here.

    Raises `SqlError` SS5007 for one that has a setting under which they may mean something else, SS5010 for one that
    does not say.
    """
    if not hasattr(schema, "conf"):
        return
    wanted = load(dialect).settings.read_with
    try:
        found = _set(schema, wanted)
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SqlError.of("SS5010", f"the session does not say its settings: {reason}") from error
    for key, value in found.items():
        if value.casefold() != wanted[key].casefold():
            raise SqlError.of(
                "SS5007",
                f"the session has {key}={value}, and texts are read with {wanted[key]}",
                hint=f"spark.conf.set({key!r}, {wanted[key]!r}), or give the columns of the tables as schema=",
            )


def _set(session: Any, keys: Iterable[str]) -> Mapping[str, str]:
    """Those that the session has. A server is asked once, but for Spark 3.5's, which does not say all at once."""
    is_connect = type(session).__module__.startswith("pyspark.sql.connect")
    if is_connect and hasattr(session.conf, "getAll"):
        everything = session.conf.getAll
        return {key: everything[key] for key in keys if key in everything}
    found = {key: session.conf.get(key, None) for key in keys}
    return {key: value for key, value in found.items() if value is not None}
