SELECT
  id,
  (
    SELECT
      name
    FROM (
      SELECT
        emp.name,
        emp.salary
      FROM emp
      WHERE
        emp.dept = dept_2.id
      ORDER BY
        salary DESC
      LIMIT 1
    ) AS emp_top
  ) AS best,
  (
    SELECT
      name
    FROM (
      SELECT
        emp.name,
        emp.salary
      FROM emp
      WHERE
        emp.dept = dept_2.id
      ORDER BY
        salary DESC
      LIMIT 1
      OFFSET 1
    ) AS emp_top
  ) AS second
FROM dept AS dept_2
