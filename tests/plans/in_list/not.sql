SELECT
  id
FROM emp
WHERE
  dept NOT IN (10, 20)
