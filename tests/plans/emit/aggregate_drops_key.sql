SELECT
  count(*) AS n
FROM emp
GROUP BY
  dept
