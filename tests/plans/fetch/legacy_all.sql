SELECT
  id,
  name,
  dept,
  salary
FROM emp
ORDER BY
  id
OFFSET 5
