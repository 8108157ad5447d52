SELECT
  k AS x,
  coalesce(b, 2) AS y
FROM r
WHERE
  k > 2
UNION ALL
SELECT
  b,
  b
FROM r
WHERE
  b < 30
UNION ALL
SELECT
  k,
  10
FROM r
WHERE
  k IS NULL
ORDER BY
  x NULLS LAST,
  y
