SELECT
  id
FROM emp
WHERE
  id NOT IN (
    SELECT
      dept.head
    FROM dept
  )
