SELECT
  7 AS seven,
  'k' AS k
FROM dept
