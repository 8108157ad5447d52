SELECT
  'x' AS b,
  1 AS a
UNION ALL
SELECT
  'x',
  1
