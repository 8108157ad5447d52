SELECT
  dept,
  sum_salary AS DEPT,
  grouping_set AS g
FROM (
  SELECT
    dept,
    sum(salary) AS sum_salary,
    0 AS grouping_set
  FROM emp
  GROUP BY
    dept
  UNION ALL
  SELECT
    NULL,
    sum(salary),
    1
  FROM emp
) AS emp_union
ORDER BY
  sum_salary NULLS LAST,
  emp_union.dept NULLS LAST
