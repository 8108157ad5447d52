{# Made by substrait-sql of best. Changes here are written over. #}
SELECT
  customer,
  sum(amount) AS total
FROM {{ source('default', 'orders') }} AS orders
GROUP BY
  customer
