SELECT
  k,
  sum(b) AS s
FROM (
  SELECT
    b,
    a + 1 AS k
  FROM VALUES
    (1, 2L),
    (1, 3L),
    (2, 5L),
    (CAST(NULL AS INT), 7L) AS rows(a, b)
) AS rows_computed
GROUP BY
  ROLLUP (k)
HAVING
  sum(b) > 3 AND (k IS NULL OR k > 2)
ORDER BY
  s
LIMIT 3
