SELECT
  k,
  sum(b) AS s
FROM r
WHERE
  b > 20
GROUP BY
  k
ORDER BY
  s DESC
