WITH orders_agg AS (
  SELECT
    customer_id,
    sum(amount) AS sum_amount,
    count(*) AS count
  FROM orders
  GROUP BY
    customer_id
)
SELECT
  customer_id,
  sum_amount AS spent,
  count AS orders
FROM orders_agg
WHERE
  sum_amount = (
    SELECT
      max(sum_amount)
    FROM orders_agg
  )
