SELECT
  coalesce(price, 0L) AS long,
  coalesce(price, n, 7L) AS several,
  CASE WHEN n > 1 THEN price ELSE -4L END AS chosen,
  coalesce(price, 0) AS short,
  coalesce(CAST(price AS DECIMAL(25, 2)), 0) AS longer,
  coalesce(CAST(price AS DECIMAL(25, 5)), 0.50000) AS places
FROM VALUES
  (CAST(1.50 AS DECIMAL(7, 2)), CAST(1.500000000000000 AS DECIMAL(30, 15)), 1, 1.5D),
  (
    CAST(2.25 AS DECIMAL(7, 2)), CAST(2.250000000000001 AS DECIMAL(30, 15)), 2,
    CAST('NaN' AS DOUBLE)
  ),
  (CAST(NULL AS DECIMAL(7, 2)), CAST(0 AS DECIMAL(30, 15)), 3, 2.0D),
  (
    CAST(-3.10 AS DECIMAL(7, 2)), CAST(NULL AS DECIMAL(30, 15)), CAST(NULL AS INT),
    CAST(NULL AS DOUBLE)
  ) AS rows(price, wide, n, x)
