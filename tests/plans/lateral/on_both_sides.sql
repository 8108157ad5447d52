SELECT
  customer_id,
  name,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM orders
      WHERE
        orders.customer_id = cust.customer_id AND orders.amount > 6
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM orders
      WHERE
        orders.customer_id = cust.customer_id AND (orders.amount > 6) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM cust
