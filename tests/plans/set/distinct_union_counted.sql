SELECT
  count(*) AS n
FROM (
  SELECT
    x
  FROM t1
  UNION
  SELECT
    x
  FROM t2
) AS t1_union
WHERE
  x <> 2
