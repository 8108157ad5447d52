SELECT
  id
FROM emp
WHERE
  NOT ((dept = 10 AND salary = 100) OR (dept = 20 AND salary = 200))
