SELECT
  id,
  id + salary AS sum
FROM emp
WHERE
  id + salary > 202
