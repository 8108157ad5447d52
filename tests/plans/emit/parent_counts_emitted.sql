SELECT
  dept,
  id
FROM emp
WHERE
  id > 3
