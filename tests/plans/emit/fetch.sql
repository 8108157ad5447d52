SELECT
  name,
  id
FROM emp
ORDER BY
  id
LIMIT 2
OFFSET 1
