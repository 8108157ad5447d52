SELECT
  id
FROM emp
ORDER BY
  salary DESC,
  id
