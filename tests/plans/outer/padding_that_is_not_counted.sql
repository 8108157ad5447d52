SELECT
  customer_id,
  name,
  (
    SELECT
      count(orders.amount)
    FROM kv
    JOIN orders
      ON kv.k = orders.customer_id
    WHERE
      orders.customer_id = cust.customer_id
  ) AS n
FROM cust
