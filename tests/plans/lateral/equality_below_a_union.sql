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
      order_id,
      customer_id
    FROM orders
    UNION ALL
    SELECT
      emp_id,
      dept_id
    FROM employees
  ) AS orders_union
) AS orders_ranked
  ON orders_ranked.customer_id = cust.customer_id
WHERE
  orders_ranked.row_number <= 2
