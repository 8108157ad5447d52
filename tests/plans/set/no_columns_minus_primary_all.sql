SELECT
  count(*) AS n
FROM (
  SELECT
    1
  FROM t1
  EXCEPT ALL
  SELECT
    1
  FROM t3
) AS t1_except
