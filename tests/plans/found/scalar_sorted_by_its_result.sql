SELECT
  id,
  (
    SELECT
      emp.salary + emp.salary AS add_salary
    FROM emp
    ORDER BY
      add_salary DESC
    LIMIT 1
  ) AS most
FROM dept AS dept_2
