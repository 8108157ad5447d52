{# Made by substrait-sql of best. Changes here are written over. #}
SELECT
  c.name,
  t.total
FROM {{ ref('best__totals') }} AS t
JOIN {{ source('default', 'customers') }} AS c
  ON c.id = t.customer
WHERE
  t.total = (
    SELECT
      max(totals.total)
    FROM {{ ref('best__totals') }} AS totals
  )
