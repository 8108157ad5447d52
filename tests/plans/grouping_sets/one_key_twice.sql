WITH emp_shared AS (
  SELECT
    dept AS dept_2
  FROM emp
  WHERE
    dept = 10
), emp_agg AS (
  SELECT
    dept_2 AS dept,
    count(*) AS count
  FROM emp_shared
  GROUP BY
    dept_2
)
SELECT
  NULL AS dept,
  dept AS same,
  count AS n,
  0 AS g
FROM emp_agg
UNION ALL
SELECT
  NULL,
  NULL,
  count(*),
  1
FROM emp_shared
UNION ALL
SELECT
  dept,
  dept,
  count,
  2
FROM emp_agg
