SELECT
  k = 1 OR k = 2 OR count(*) > 1 AS a,
  count(*) AS n
FROM l
GROUP BY
  k = 1 OR k = 2
