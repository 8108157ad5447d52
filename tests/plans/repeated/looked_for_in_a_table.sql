SELECT
  cust.customer_id AS id
FROM cust
LEFT SEMI JOIN orders
  ON cust.customer_id = orders.customer_id AND orders.amount > 5
UNION ALL
SELECT
  kv.k
FROM kv
LEFT ANTI JOIN orders
  ON kv.k = orders.customer_id AND orders.amount > 5
