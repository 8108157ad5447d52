WITH cust_values AS (
  /* the outer values of a subquery that Spark cannot run once per row */
  SELECT DISTINCT
    customer_id
  FROM cust
)
SELECT
  cust.customer_id,
  cust.name,
  orders_ranked.order_id AS id
FROM cust
JOIN (
  SELECT
    order_id,
    customer_id,
    row_number() OVER (PARTITION BY customer_id ORDER BY order_id DESC) AS row_number
  FROM (
    SELECT
      orders.order_id,
      cust_values.customer_id
    FROM orders, cust_values
    WHERE
      orders.customer_id = cust_values.customer_id
    UNION ALL
    SELECT
      employees.emp_id,
      cust_values.customer_id
    FROM employees, cust_values
  ) AS orders_union
) AS orders_ranked
  ON cust.customer_id IS NOT DISTINCT FROM orders_ranked.customer_id
WHERE
  orders_ranked.row_number > 6 AND orders_ranked.row_number <= 13
