WITH t1_shared AS (
  SELECT
    x
  FROM t1
  UNION ALL
  SELECT
    x
  FROM t2
)
SELECT
  t1_shared.x,
  t1_agg.n
FROM t1_shared, (
  SELECT
    count(*) AS n
  FROM t1_shared
) AS t1_agg
WHERE
  t1_shared.x > 2
