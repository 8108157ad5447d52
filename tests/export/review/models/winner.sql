{{ config(meta={'substrait_sql': true}) }}
WITH best AS (
  {{ substrait_sql.plan('plans/best.json') }}
)
SELECT name, total * 2 AS twice FROM best
