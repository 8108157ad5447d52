"""Classes that the author of a dialect subclasses in tests of pytest's: docs/making_a_dialect.md.

    >>> from substrait_sql import testing
    >>> class TestFolder(testing.Folder):
    ...     dialect = "spark35"

pytest collects the tests that such a class inherits.
"""

from __future__ import annotations

from substrait_sql.testing.classes import Folder, Relations, TextSafety
from substrait_sql.testing.functions import FunctionCases

__all__ = ["Folder", "FunctionCases", "Relations", "TextSafety"]
