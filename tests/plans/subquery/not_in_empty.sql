SELECT
  id
FROM emp
WHERE
  dept NOT IN (
    SELECT
      emp.id
    FROM emp
    WHERE
      emp.id > 100
  )
