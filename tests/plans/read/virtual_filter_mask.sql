SELECT
  b
FROM VALUES
  (1, 'x'),
  (2, CAST(NULL AS STRING)),
  (3, 'z') AS rows(a, b)
WHERE
  a > 1
