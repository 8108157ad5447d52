SELECT
  dept AS a,
  dept AS b,
  count(*) AS n
FROM emp
GROUP BY
  dept
