SELECT
  count(*) AS n
FROM emp
LIMIT 0
