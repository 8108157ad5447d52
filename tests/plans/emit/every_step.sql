SELECT
  salary + 1 AS more,
  name
FROM emp
WHERE
  dept = 10
