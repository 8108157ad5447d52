SELECT
  id
FROM emp
ORDER BY
  salary DESC NULLS FIRST,
  id
