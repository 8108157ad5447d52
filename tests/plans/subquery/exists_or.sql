SELECT
  id
FROM dept AS dept_2
WHERE
  EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      emp.dept = dept_2.id AND emp.salary > 250
  )
  OR name = 'law'
