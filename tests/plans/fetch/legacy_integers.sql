SELECT
  id,
  name,
  dept,
  salary
FROM emp
ORDER BY
  id
LIMIT 2
OFFSET 1
