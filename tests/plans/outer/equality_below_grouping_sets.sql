SELECT
  customer_id,
  name,
  (
    SELECT
      max(sum_amount)
    FROM (
      SELECT
        sum(orders.amount) AS sum_amount,
        orders.customer_id
      FROM orders
      GROUP BY
        GROUPING SETS (
          (orders.order_id, orders.customer_id),
          (orders.amount, orders.customer_id)
        )
    ) AS orders_agg
    WHERE
      customer_id = cust.customer_id
  ) AS largest
FROM cust
