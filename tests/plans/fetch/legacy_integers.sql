SELECT
  id,
  name,
  dept,
  salary
FROM emp
ORDER BY
  id NULLS LAST
LIMIT 2
OFFSET 1
