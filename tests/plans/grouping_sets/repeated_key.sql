WITH dept_agg AS (
  SELECT
    id,
    count(*) AS count
  FROM dept
  GROUP BY
    id
)
SELECT
  id AS a,
  NULL AS b,
  count AS n,
  0 AS g
FROM dept_agg
UNION ALL
SELECT
  NULL,
  id,
  count,
  1
FROM dept_agg
