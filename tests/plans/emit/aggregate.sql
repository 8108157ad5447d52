SELECT
  sum(salary) AS total,
  dept
FROM emp
GROUP BY
  dept
