SELECT
  id
FROM emp
WHERE
  EXISTS(
    SELECT
      1
    FROM dept
  )
