SELECT
  dept AS n,
  salary AS N
FROM (
  SELECT DISTINCT
    dept,
    salary
  FROM emp
) AS emp_distinct
ORDER BY
  dept NULLS LAST,
  salary DESC
