SELECT
  CASE WHEN x = 0 THEN CAST('-Infinity' AS DOUBLE) ELSE ln(x) END AS log,
  CAST(bround(d - 1, 0) + 1 AS DECIMAL(6, 2)) AS rounded
FROM VALUES
  (0.0D, CAST(2.50 AS DECIMAL(5, 2))),
  (-1.0D, CAST(-2.50 AS DECIMAL(5, 2))),
  (1.0D, CAST(3.49 AS DECIMAL(5, 2))) AS rows(x, d)
