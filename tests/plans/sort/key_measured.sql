SELECT
  k,
  count(b) AS n,
  sum(b) AS s
FROM r
GROUP BY
  k
ORDER BY
  n DESC,
  s DESC NULLS FIRST,
  k NULLS LAST
