SELECT
  id,
  (
    SELECT
      max(emp.salary)
    FROM emp
  ) AS top
FROM dept AS dept_2
