SELECT DISTINCT
  x
FROM (
  SELECT
    x
  FROM t1
  INTERSECT ALL
  SELECT
    x
  FROM t2
) AS t1_intersect
