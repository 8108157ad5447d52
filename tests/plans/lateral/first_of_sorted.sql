WITH cust_values AS (
  /* the outer values of a subquery that Spark cannot run once per row */
  SELECT DISTINCT
    customer_id
  FROM cust
)
SELECT
  cust.customer_id,
  cust.name,
  rows_part_joined.n,
  rows_part_joined.k,
  rows_part_joined.v
FROM cust
JOIN (
  SELECT
    rows_part.n,
    kv_ranked.k,
    kv_ranked.v,
    kv_ranked.customer_id
  FROM (
    SELECT
      1L AS n
  ) AS rows_part
  RIGHT JOIN (
    SELECT
      kv.k,
      kv.v,
      cust_values.customer_id,
      row_number() OVER (PARTITION BY cust_values.customer_id ORDER BY kv.v DESC) AS row_number
    FROM kv, cust_values
    WHERE
      cust_values.customer_id <> 2
  ) AS kv_ranked
    ON rows_part.n = kv_ranked.customer_id
  WHERE
    kv_ranked.row_number <= 1
) AS rows_part_joined
  ON cust.customer_id IS NOT DISTINCT FROM rows_part_joined.customer_id
