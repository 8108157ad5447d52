SELECT
  id,
  dept IN (10, 40) AS x
FROM emp
