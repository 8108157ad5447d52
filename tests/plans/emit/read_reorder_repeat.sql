SELECT
  salary,
  id,
  id AS again
FROM emp
