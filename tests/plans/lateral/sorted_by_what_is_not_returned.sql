SELECT
  cust.customer_id,
  cust.name,
  orders_top.amount
FROM cust
CROSS JOIN LATERAL (
  SELECT
    orders.amount,
    orders.order_id
  FROM orders
  WHERE
    orders.customer_id = cust.customer_id
  ORDER BY
    order_id DESC
  LIMIT 1
) AS orders_top
