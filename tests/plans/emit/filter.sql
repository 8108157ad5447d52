SELECT
  name,
  id
FROM emp
WHERE
  dept = 10
