SELECT
  x,
  x AS y
FROM (
  SELECT
    x
  FROM t1
  UNION ALL
  SELECT
    x
  FROM t2
) AS t1_union
WHERE
  x > 1 AND x < 4
ORDER BY
  x DESC
