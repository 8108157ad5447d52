SELECT
  name
FROM emp
WHERE
  id > 1
ORDER BY
  salary DESC,
  id
LIMIT 2
OFFSET 1
