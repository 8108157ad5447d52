SELECT
  id,
  id IN (dept, 3) AS x
FROM emp
