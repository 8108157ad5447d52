SELECT
  id,
  name,
  dept,
  salary
FROM emp
WHERE
  id > 4
