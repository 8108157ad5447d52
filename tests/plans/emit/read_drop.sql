SELECT
  name
FROM emp
