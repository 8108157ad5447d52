SELECT
  id
FROM emp
ORDER BY
  salary,
  id
