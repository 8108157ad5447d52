SELECT
  id
FROM emp
WHERE
  (20 = dept AND salary + 0 = salary) OR (20 = 10 AND salary + 0 = salary)
