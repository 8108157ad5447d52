SELECT
  id
FROM emp
WHERE
  salary > 99 AND dept = 10
