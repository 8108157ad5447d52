WITH emp_agg AS (
  SELECT
    dept,
    sum(salary) AS sum_salary
  FROM emp
  GROUP BY
    dept
)
SELECT
  dept,
  sum_salary AS total,
  0 AS g
FROM emp_agg
UNION ALL
SELECT
  dept,
  sum_salary,
  1
FROM emp_agg
