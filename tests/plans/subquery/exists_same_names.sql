SELECT
  id
FROM dept AS dept_2
WHERE
  EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      emp.id = dept_2.head
  )
