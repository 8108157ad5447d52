SELECT
  customer_id,
  name,
  matched.order_id AS order_id,
  matched.customer_id AS customer,
  matched.amount AS amount
FROM (
  SELECT
    customer_id,
    name,
    (
      SELECT
        named_struct('order_id', order_id, 'customer_id', customer_id, 'amount', amount)
      FROM (
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
    ) AS matched
  FROM cust
) AS cust_matched
