SELECT
  id
FROM emp
WHERE
  id NOT IN (
    SELECT
      dept.head
    FROM dept
    WHERE
      dept.head IS NOT NULL
  )
