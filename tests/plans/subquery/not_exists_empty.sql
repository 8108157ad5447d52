SELECT
  id
FROM dept AS dept_2
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      emp.id > 100
  )
