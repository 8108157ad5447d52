SELECT
  customer_id,
  name,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        orders.amount > 6 AS matches
      FROM orders
      WHERE
        orders.customer_id = cust.customer_id
    ) AS orders_part
  ) AS m
FROM cust
