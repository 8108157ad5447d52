SELECT
  id
FROM emp
WHERE
  id > 1 AND id < 5 AND salary IS NOT NULL AND name IS NOT NULL
