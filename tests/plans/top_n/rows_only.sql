SELECT
  salary
FROM emp
ORDER BY
  salary DESC
LIMIT 2
