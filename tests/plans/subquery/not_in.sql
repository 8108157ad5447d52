SELECT
  id
FROM emp
WHERE
  dept NOT IN (
    SELECT
      dept.id
    FROM dept
  )
