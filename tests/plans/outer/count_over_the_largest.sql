SELECT
  customer_id,
  name,
  (
    SELECT
      count(max_amount)
    FROM (
      SELECT
        max(orders.amount) AS max_amount,
        orders.customer_id
      FROM orders
      GROUP BY
        orders.customer_id
    ) AS orders_agg
    WHERE
      customer_id = cust.customer_id
  ) AS n
FROM cust
