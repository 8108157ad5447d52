SELECT
  id
FROM emp
WHERE
  EXISTS(
    SELECT
      1
    FROM emp
    WHERE
      emp.id > 100
  )
