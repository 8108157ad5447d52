SELECT
  customer_id,
  name,
  (
    SELECT
      CASE
        WHEN bool_or(orders.amount > 6) THEN TRUE
        WHEN count(*) = count(orders.amount > 6) THEN FALSE
      END
    FROM orders
    WHERE
      orders.customer_id = cust.customer_id
  ) AS m
FROM cust
