WITH orders_distinct AS (
  SELECT DISTINCT
    customer_id
  FROM orders
)
SELECT
  orders_agg.customer_id,
  orders_agg_2.n
FROM (
  SELECT DISTINCT
    customer_id
  FROM (
    SELECT
      customer_id
    FROM orders_distinct
    ORDER BY
      customer_id DESC
    LIMIT 1
  ) AS orders_top
) AS orders_agg
JOIN (
  SELECT
    customer_id,
    count(*) AS n
  FROM (
    SELECT
      customer_id
    FROM orders_distinct
    ORDER BY
      customer_id DESC
    LIMIT 1
  ) AS orders_top
  GROUP BY
    customer_id
) AS orders_agg_2
  ON orders_agg.customer_id = orders_agg_2.customer_id
