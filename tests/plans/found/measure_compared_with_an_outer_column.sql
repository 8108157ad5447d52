SELECT
  id
FROM dept AS dept_2
WHERE
  EXISTS(
    SELECT
      1
    FROM (
      SELECT
        count(*) AS count
      FROM emp
      WHERE
        emp.dept = dept_2.id
    ) AS emp_agg
    WHERE
      count < dept_2.head
  )
