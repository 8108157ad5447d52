SELECT
  cust.customer_id,
  cust.name,
  orders_joined.order_id,
  orders_joined.customer_id AS customer,
  orders_joined.amount,
  orders_joined.k,
  orders_joined.v
FROM cust
CROSS JOIN LATERAL (
  SELECT
    orders_part.order_id,
    orders_part.customer_id,
    orders_part.amount,
    kv_part.k,
    kv_part.v
  FROM (
    SELECT
      orders.order_id,
      orders.customer_id,
      orders.amount,
      cust.customer_id AS customer_id_2
    FROM orders
    WHERE
      orders.customer_id = cust.customer_id
  ) AS orders_part
  LEFT JOIN LATERAL (
    SELECT
      kv.k,
      kv.v
    FROM kv
    WHERE
      kv.k = orders_part.customer_id_2 AND kv.v > orders_part.amount
  ) AS kv_part
    ON TRUE
) AS orders_joined
