SELECT
  a,
  b
FROM VALUES
  (1 + 2, upper('x')),
  (4, CAST(5 AS STRING)) AS rows(a, b)
