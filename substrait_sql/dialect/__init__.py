"""How the functions and types of a plan are written in one SQL dialect.

The data is in ``dialects/<name>/``.
"""

from substrait_sql.dialect.dialect import Dialect, load
from substrait_sql.dialect.model import Argument, Built, Call

__all__ = ["Argument", "Built", "Call", "Dialect", "load"]
