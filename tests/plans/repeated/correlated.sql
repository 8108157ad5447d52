SELECT
  customer_id,
  name,
  (
    SELECT
      max(orders.amount)
    FROM orders
    WHERE
      orders.customer_id = cust.customer_id
    GROUP BY
      orders.customer_id
  ) AS largest
FROM cust
WHERE
  EXISTS(
    SELECT
      1
    FROM orders
    WHERE
      orders.customer_id = cust.customer_id
    GROUP BY
      orders.customer_id
  )
