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
  orders_agg.customer_id,
  orders_agg.sum_amount AS spent,
  orders_agg_2.count AS orders
FROM orders_agg
JOIN orders_agg AS orders_agg_2
  ON orders_agg.customer_id = orders_agg_2.customer_id
