SELECT
  name
FROM dept AS dept_2
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      NOT (dept_2.id > emp.id)
  )
