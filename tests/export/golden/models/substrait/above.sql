{# Made by substrait-sql of above. Changes here are written over. #}
SELECT
  customer,
  total
FROM {{ ref('best__totals') }} AS a
WHERE
  total > CAST({{ substrait_sql_parameter('above_p1') }} AS DECIMAL(20, 2))
  AND customer IN (
    SELECT
      totals.customer
    FROM {{ ref('best__totals') }} AS totals
    WHERE
      totals.total < CAST({{ substrait_sql_parameter('above_p2') }} AS DECIMAL(20, 2))
  )
