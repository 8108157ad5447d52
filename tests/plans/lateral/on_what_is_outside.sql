SELECT
  customer_id,
  name
FROM cust
WHERE
  EXISTS(
    SELECT
      1
    FROM (
      SELECT
        orders.customer_id,
        cust.customer_id AS customer_id_2
      FROM orders
    ) AS orders_rows
    LEFT JOIN LATERAL (
      SELECT
        kv.k
      FROM kv
      WHERE
        kv.k = orders_rows.customer_id AND orders_rows.customer_id_2 > 1
    ) AS kv_part
      ON TRUE
    WHERE
      kv_part.k IS NOT NULL
  )
