"""The kinds of statements, by name. The command line offers them without what makes statements."""

from __future__ import annotations

KINDS = ("view", "table", "ctas", "insert", "overwrite", "merge")
"""The kinds of statement that a query can be put into."""

PLAN_KINDS = {
    "insert": "insert",
    "ctas": "table",
    "create_table": "create_table",
    "drop_table": "drop_table",
    "create_view": "view",
    "alter_view": "alter_view",
    "alter_table": "alter_table",
    "refresh_table": "refresh_table",
    "drop_view": "drop_view",
    "update": "update",
    "delete": "delete",
}
"""The kinds of statement that a plan itself can ask for, and the template of each."""

TEMPORARY_VIEW = "temporary_view"
"""The kind of the statements that come before a query; they change nothing that lasts."""

OVERWRITES = ("static", "dynamic")
"""What an overwriting takes the place of: the whole table, or the partitions that the rows are of."""
