SELECT
  id
FROM emp
WHERE
  salary > 150
