WITH emp_shared AS (
  SELECT
    dept,
    count(*) AS count,
    sum(salary) AS sum_salary
  FROM emp
  GROUP BY
    dept
)
SELECT
  dept,
  count AS n,
  sum_salary AS total
FROM emp_shared
ORDER BY
  dept NULLS LAST
LIMIT 1
