SELECT
  id
FROM emp
WHERE
  salary > 100L + 100
