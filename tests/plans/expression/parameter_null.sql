SELECT
  id,
  dept = CAST(NULL AS BIGINT) AS x
FROM emp
