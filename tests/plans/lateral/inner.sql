SELECT
  cust.customer_id,
  cust.name,
  orders_part.order_id,
  orders_part.customer_id AS customer,
  orders_part.amount
FROM cust
CROSS JOIN LATERAL (
  SELECT
    orders.order_id,
    orders.customer_id,
    orders.amount
  FROM orders
  WHERE
    orders.customer_id = cust.customer_id
) AS orders_part
