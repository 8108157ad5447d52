"""Golden tests of SQL with pytest: docs/golden_tests.md. `plugin` is what pytest loads by itself."""

from __future__ import annotations

from substrait_sql.golden.fixture import GoldenSql

__all__ = ["GoldenSql"]
