SELECT
  dept,
  count(*) AS n,
  sum(salary) AS total
FROM emp
GROUP BY
  dept
HAVING
  count(*) > 1
