SELECT
  customer_id,
  name,
  (
    SELECT
      max(kv.k)
    FROM kv
  ) AS largest
FROM cust
WHERE
  customer_id = (
    SELECT
      max(kv.k)
    FROM kv
  )
