SELECT
  id
FROM dept AS dept_2
WHERE
  EXISTS(
    SELECT
      1
    FROM (
      SELECT
        emp.dept,
        row_number() OVER (PARTITION BY emp.dept ORDER BY emp.salary DESC) AS row_number
      FROM emp
    ) AS emp_ranked
    WHERE
      row_number = 2 AND dept = dept_2.id
  )
