SELECT
  dept,
  sum(salary) + count(*) AS x
FROM emp
GROUP BY
  dept
