SELECT
  id,
  (
    SELECT
      sum(add_salary)
    FROM (
      SELECT
        emp.salary + dept_2.head AS add_salary
      FROM emp
    ) AS emp_computed
  ) AS total
FROM dept AS dept_2
