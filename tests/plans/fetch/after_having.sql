SELECT
  dept,
  count(*) AS n,
  sum(salary) AS total
FROM emp
GROUP BY
  dept
HAVING
  sum(salary) > 100
ORDER BY
  total DESC,
  dept NULLS LAST
LIMIT 2
