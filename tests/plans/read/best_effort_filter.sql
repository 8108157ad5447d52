SELECT
  id,
  name,
  dept,
  salary
FROM emp
WHERE
  salary > 100 AND dept = 10
