"""Plans that dbt projects are made of, from Spark SQL."""

from __future__ import annotations

from typing import Any

from substrait_sql import to_plan

SHOP = {
    "default.orders": {"id": "BIGINT NOT NULL", "customer": "BIGINT", "amount": "DECIMAL(10,2)"},
    "default.customers": {"id": "BIGINT NOT NULL", "name": "STRING"},
}
TOTALS = (
    "WITH totals AS (SELECT customer, sum(amount) AS total FROM default.orders GROUP BY customer) "
)
BEST = (
    TOTALS + "SELECT c.name, t.total FROM totals t JOIN default.customers c ON c.id = t.customer "
    "WHERE t.total = (SELECT max(total) FROM totals)"
)
ABOVE = (
    TOTALS + "SELECT a.customer, a.total FROM totals a WHERE a.total > :least "
    "AND a.customer IN (SELECT customer FROM totals WHERE total < :most)"
)
ODD = (
    "SELECT `a {{ b }}`, `c``d`, '{{ x }} {% y %} {# z #} it''s \\\\ ; \\n' AS `l'{%` "
    "FROM default.odd WHERE `a {{ b }}` > 1"
)
ODD_SCHEMA = {"default.odd": {"a {{ b }}": "BIGINT NOT NULL", "c`d": "STRING"}}


def best() -> Any:
    return to_plan(BEST, schema=SHOP)


def above() -> Any:
    return to_plan(
        ABOVE, schema=SHOP, parameters={"least": "DECIMAL(20,2)", "most": "DECIMAL(20,2)"}
    )


def odd() -> Any:
    return to_plan(ODD, schema=ODD_SCHEMA)
