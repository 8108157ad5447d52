SELECT
  aggregate(collect_set(a) OVER (), 1Y, (acc, x) -> acc * x) AS a,
  aggregate(collect_set(b) OVER (), 1S, (acc, x) -> acc * x) AS b,
  aggregate(collect_set(x + CAST(0 AS FLOAT)) OVER (), CAST(1 AS FLOAT), (acc, x) -> acc * x) AS x,
  aggregate(collect_set(y + 0) OVER (), CAST(1 AS DOUBLE), (acc, x) -> acc * x) AS y
FROM VALUES
  (5Y, 300S, CAST('0.5' AS FLOAT), 0.5D),
  (5Y, 2S, CAST('4' AS FLOAT), 4.0D),
  (-3Y, CAST(NULL AS SMALLINT), CAST('4' AS FLOAT), CAST(NULL AS DOUBLE)) AS rows(a, b, x, y)
