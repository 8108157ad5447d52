SELECT
  sum(salary * 2) AS total
FROM emp
