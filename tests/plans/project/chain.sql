SELECT
  id,
  (salary + 1) * 2 AS x
FROM emp
