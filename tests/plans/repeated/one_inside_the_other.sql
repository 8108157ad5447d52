WITH orders_union AS (
  SELECT
    customer_id
  FROM orders
  UNION
  SELECT
    k
  FROM kv
), orders_part AS (
  SELECT
    customer_id
  FROM orders_union
  WHERE
    customer_id > 1
)
SELECT
  customer_id AS id
FROM orders_part
UNION ALL
SELECT
  customer_id
FROM orders_part
UNION ALL
SELECT
  customer_id
FROM orders_union
WHERE
  customer_id < 3
