SELECT
  id
FROM emp
ORDER BY
  dept
