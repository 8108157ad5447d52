SELECT
  id
FROM emp
ORDER BY
  salary NULLS LAST,
  id
