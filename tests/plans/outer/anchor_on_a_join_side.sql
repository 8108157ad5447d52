SELECT
  cust.customer_id,
  cust.name,
  kv.k,
  kv.v
FROM cust
JOIN kv
  ON cust.customer_id = kv.k
WHERE
  (
    SELECT
      count(*)
    FROM kv AS kv_2
    WHERE
      kv_2.v > kv.v
  ) > 0
