SELECT
  customer_id,
  name,
  EXISTS(
    SELECT
      1
    FROM orders
    WHERE
      orders.customer_id = cust.customer_id
  ) AS m
FROM cust
