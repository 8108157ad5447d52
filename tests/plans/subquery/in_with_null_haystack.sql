SELECT
  id
FROM emp
WHERE
  id IN (
    SELECT
      dept.head
    FROM dept
  )
