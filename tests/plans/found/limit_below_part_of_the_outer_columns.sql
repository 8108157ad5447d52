SELECT
  id,
  (
    SELECT
      count(*)
    FROM (
      SELECT
        emp.id,
        row_number() OVER (ORDER BY emp.salary DESC, emp.id) AS row_number
      FROM emp
      WHERE
        emp.dept IS NULL OR emp.dept = dept_2.id
    ) AS emp_ranked
    WHERE
      row_number <= 2 AND id >= dept_2.head
  ) AS n
FROM dept AS dept_2
