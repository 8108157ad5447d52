SELECT
  id
FROM emp
WHERE
  dept IN (
    SELECT
      dept.id
    FROM dept
    ORDER BY
      dept.id
    LIMIT 1
  )
