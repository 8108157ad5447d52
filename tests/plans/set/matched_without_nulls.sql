SELECT
  t1_distinct.x
FROM (
  SELECT DISTINCT
    x
  FROM t1
) AS t1_distinct
LEFT SEMI JOIN t2
  ON t1_distinct.x = t2.x
