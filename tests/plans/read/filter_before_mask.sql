SELECT
  name
FROM emp
WHERE
  salary >= 200
