SELECT
  id
FROM emp
WHERE
  salary > 150
ORDER BY
  id
LIMIT 2
