SELECT
  count(*) AS n
FROM emp
