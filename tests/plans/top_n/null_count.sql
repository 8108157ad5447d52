SELECT
  salary
FROM emp
ORDER BY
  salary DESC
OFFSET 4
