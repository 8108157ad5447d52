WITH cust_values AS (
  /* the outer values of a subquery that Spark cannot run once per row */
  SELECT DISTINCT
    customer_id
  FROM cust
)
SELECT
  customer_id,
  name,
  (
    SELECT
      count_amount
    FROM (
      SELECT
        count(cust_agg.count_amount) FILTER (WHERE cust_agg.is_there) AS count_amount,
        cust_values.customer_id
      FROM cust_values
      LEFT JOIN (
        SELECT
          count(orders_joined.amount) FILTER (WHERE orders_joined.is_there) AS count_amount,
          cust_values.customer_id,
          TRUE AS is_there
        FROM cust_values
        LEFT JOIN (
          SELECT
            orders.amount,
            cust_values.customer_id,
            TRUE AS is_there
          FROM orders, cust_values
          WHERE
            orders.customer_id = cust_values.customer_id
        ) AS orders_joined
          ON cust_values.customer_id IS NOT DISTINCT FROM orders_joined.customer_id
        GROUP BY
          cust_values.customer_id
      ) AS cust_agg
        ON cust_values.customer_id IS NOT DISTINCT FROM cust_agg.customer_id
      GROUP BY
        cust_values.customer_id
    ) AS cust_agg
    WHERE
      customer_id IS NOT DISTINCT FROM cust.customer_id
  ) AS n
FROM cust
