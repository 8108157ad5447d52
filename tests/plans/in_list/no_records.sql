SELECT
  id,
  FALSE AS x
FROM emp
