SELECT
  id,
  (dept = 10 AND salary = 100) OR (dept = 20 AND salary = 200) AS x
FROM emp
