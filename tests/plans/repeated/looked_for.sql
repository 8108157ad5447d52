WITH orders_joined AS (
  SELECT
    orders.customer_id
  FROM orders
  JOIN kv
    ON orders.customer_id = kv.k
  WHERE
    kv.v > 20
)
SELECT
  cust.customer_id AS id
FROM cust
LEFT SEMI JOIN orders_joined
  ON cust.customer_id = orders_joined.customer_id
UNION ALL
SELECT
  kv.k
FROM kv
LEFT ANTI JOIN orders_joined
  ON kv.k = orders_joined.customer_id
