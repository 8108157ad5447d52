SELECT
  id
FROM emp
WHERE
  name IN ('eve')
