SELECT
  id,
  (
    SELECT
      emp.salary
    FROM emp
    WHERE
      emp.id > 100
  ) AS x
FROM dept AS dept_2
