SELECT
  salary + 1 AS more,
  id
FROM emp
