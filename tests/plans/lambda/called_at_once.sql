SELECT
  (x + 10) * 10 AS product
FROM t1
