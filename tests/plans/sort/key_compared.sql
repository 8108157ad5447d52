SELECT
  k,
  b
FROM r
WHERE
  k > 2 AND k IS NOT NULL
ORDER BY
  k + 2 DESC,
  k
