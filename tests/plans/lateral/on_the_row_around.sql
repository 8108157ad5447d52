SELECT
  cust.customer_id,
  cust.name,
  orders_joined.order_id,
  orders_joined.k
FROM cust
CROSS JOIN LATERAL (
  SELECT
    orders_rows.order_id,
    kv_part.k
  FROM (
    SELECT
      orders.order_id,
      orders.customer_id,
      cust.customer_id AS customer_id_2
    FROM orders
  ) AS orders_rows
  LEFT JOIN LATERAL (
    SELECT
      kv.k
    FROM kv
    WHERE
      kv.k = orders_rows.customer_id AND orders_rows.customer_id_2 > 2
  ) AS kv_part
    ON TRUE
) AS orders_joined
