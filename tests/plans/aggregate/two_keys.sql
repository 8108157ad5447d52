SELECT
  salary,
  dept,
  count(*) AS n
FROM emp
GROUP BY
  salary,
  dept
