SELECT
  id,
  dept = 20 AND salary = CAST(NULL AS BIGINT) AS x
FROM emp
