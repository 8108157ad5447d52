SELECT
  avg(x) AS mean
FROM VALUES
  (1.0D),
  (2.0D),
  (CAST(NULL AS DOUBLE)) AS rows(x)
