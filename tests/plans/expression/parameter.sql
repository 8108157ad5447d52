SELECT
  id,
  salary - -5 AS more
FROM emp
WHERE
  dept = 10
