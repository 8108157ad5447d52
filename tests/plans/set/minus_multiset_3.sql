SELECT
  t1.x
FROM t1
LEFT ANTI JOIN (
  SELECT
    x
  FROM t2
  INTERSECT
  SELECT
    x
  FROM t3
) AS t2_intersect
  ON t1.x IS NOT DISTINCT FROM t2_intersect.x
