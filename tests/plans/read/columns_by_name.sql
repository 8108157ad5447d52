SELECT
  salary,
  id
FROM emp
