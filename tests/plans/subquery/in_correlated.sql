SELECT
  id
FROM dept AS dept_2
WHERE
  head IN (
    SELECT
      emp.id
    FROM emp
    WHERE
      emp.dept = dept_2.id
  )
