SELECT
  dept,
  count(*) AS n
FROM emp
GROUP BY
  dept
HAVING
  dept > 15
