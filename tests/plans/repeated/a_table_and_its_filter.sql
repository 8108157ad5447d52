SELECT
  orders.order_id,
  orders_2.customer_id
FROM orders
JOIN orders AS orders_2
  ON orders.order_id = orders_2.order_id
WHERE
  orders.amount > 5 AND orders_2.amount > 5
