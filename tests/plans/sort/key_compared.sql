SELECT
  k,
  b
FROM r
WHERE
  k > 2
ORDER BY
  k + 2 DESC,
  k
