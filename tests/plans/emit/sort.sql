SELECT
  name
FROM emp
ORDER BY
  salary DESC,
  id
