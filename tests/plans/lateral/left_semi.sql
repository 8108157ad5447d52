SELECT
  customer_id,
  name
FROM cust
WHERE
  EXISTS(
    SELECT
      1
    FROM orders
    WHERE
      orders.customer_id = cust.customer_id
  )
