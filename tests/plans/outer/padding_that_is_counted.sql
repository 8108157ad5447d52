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
      count
    FROM (
      SELECT
        count(*) FILTER (WHERE kv_joined.is_there) AS count,
        cust_values.customer_id
      FROM cust_values
      LEFT JOIN (
        SELECT
          cust_values.customer_id,
          TRUE AS is_there
        FROM kv
        CROSS JOIN cust_values
        LEFT JOIN (
          SELECT
            orders.customer_id,
            cust_values.customer_id AS customer_id_2
          FROM orders, cust_values
          WHERE
            orders.customer_id = cust_values.customer_id
        ) AS orders_joined
          ON cust_values.customer_id IS NOT DISTINCT FROM orders_joined.customer_id_2
          AND kv.k = orders_joined.customer_id
      ) AS kv_joined
        ON cust_values.customer_id IS NOT DISTINCT FROM kv_joined.customer_id
      GROUP BY
        cust_values.customer_id
    ) AS cust_agg
    WHERE
      customer_id IS NOT DISTINCT FROM cust.customer_id
  ) AS n
FROM cust
