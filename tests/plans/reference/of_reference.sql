WITH emp_shared_2 AS (
  SELECT
    dept,
    count(*) AS count,
    sum(salary) AS sum_salary
  FROM emp
  GROUP BY
    dept
), emp_shared AS (
  SELECT
    dept,
    count,
    sum_salary
  FROM emp_shared_2
)
SELECT
  dept,
  count AS n,
  sum_salary AS total
FROM emp_shared
ORDER BY
  dept NULLS LAST
LIMIT 1
