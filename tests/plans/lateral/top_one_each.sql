SELECT
  cust.customer_id,
  cust.name,
  orders_top.order_id,
  orders_top.customer_id AS customer,
  orders_top.amount
FROM cust
CROSS JOIN LATERAL (
  SELECT
    orders.order_id,
    orders.customer_id,
    orders.amount
  FROM orders
  WHERE
    orders.customer_id = cust.customer_id
  ORDER BY
    order_id DESC
  LIMIT 1
) AS orders_top
