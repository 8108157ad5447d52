SELECT
  x
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
  x < 2
