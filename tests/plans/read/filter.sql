SELECT
  id,
  name,
  dept,
  salary
FROM emp
WHERE
  salary > 100
