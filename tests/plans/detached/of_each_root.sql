SELECT
  id
FROM emp
WHERE
  id > 5;

SELECT
  name
FROM emp
WHERE
  salary > 200
