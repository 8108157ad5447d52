SELECT
  id,
  name,
  dept,
  salary
FROM emp
ORDER BY
  id NULLS LAST
OFFSET 5
