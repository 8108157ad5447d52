"""Golden tests of SQL with pytest: docs/golden_tests.md. `plugin` is what pytest loads by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from substrait_sql.golden.fixture import GoldenSql

__all__ = ["GoldenSql"]


def __getattr__(name: str) -> Any:
    # Every session of pytest imports this package.
    if name != "GoldenSql":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from substrait_sql.golden.fixture import GoldenSql

    return GoldenSql
