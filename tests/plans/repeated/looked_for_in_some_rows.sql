SELECT
  cust.customer_id AS id
FROM cust
LEFT SEMI JOIN (
  SELECT
    orders.customer_id
  FROM orders
  JOIN kv
    ON orders.customer_id = kv.k
  WHERE
    kv.v > 20
  ORDER BY
    orders.customer_id DESC
  LIMIT 1
) AS orders_top
  ON cust.customer_id = orders_top.customer_id
UNION ALL
SELECT
  kv.k
FROM kv
LEFT ANTI JOIN (
  SELECT
    orders.customer_id
  FROM orders
  JOIN kv
    ON orders.customer_id = kv.k
  WHERE
    kv.v > 20
  ORDER BY
    orders.customer_id DESC
  LIMIT 1
) AS orders_top
  ON kv.k = orders_top.customer_id
