WITH emp_shared AS (
  SELECT
    dept,
    salary
  FROM emp
  WHERE
    salary > 90
)
SELECT
  dept,
  salary,
  count(*) AS n,
  CAST(grouping_id() AS INT) AS g
FROM emp_shared
GROUP BY
  GROUPING SETS (
    (dept, salary),
    (dept)
  )
UNION ALL
SELECT
  NULL,
  NULL,
  count(*),
  2
FROM emp_shared
