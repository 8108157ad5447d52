SELECT
  sum(salary) AS total
FROM emp
