SELECT
  name,
  (
    SELECT
      sum(emp.salary)
    FROM emp
    WHERE
      emp.dept = dept_2.id
  ) AS total
FROM dept AS dept_2
