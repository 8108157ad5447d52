SELECT
  id,
  (
    SELECT
      count(*)
    FROM (
      SELECT
        dept_2.head
      FROM emp
      WHERE
        emp.dept = dept_2.id
    ) AS emp_computed
    GROUP BY
      head
  ) AS n
FROM dept AS dept_2
