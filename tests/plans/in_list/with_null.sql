SELECT
  id,
  dept IN (10, CAST(NULL AS BIGINT)) AS x
FROM emp
