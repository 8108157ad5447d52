SELECT
  id
FROM emp
ORDER BY
  id
