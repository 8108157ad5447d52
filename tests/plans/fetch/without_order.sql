SELECT
  x
FROM VALUES
  (7),
  (7),
  (7) AS rows(x)
LIMIT 2
