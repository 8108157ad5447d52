SELECT
  t1_union.x
FROM (
  SELECT
    x
  FROM t1
  UNION ALL
  SELECT
    x
  FROM t3
) AS t1_union
LEFT ANTI JOIN t2
  ON t1_union.x IS NOT DISTINCT FROM t2.x
