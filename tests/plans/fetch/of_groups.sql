SELECT
  dept,
  count(*) AS n
FROM emp
GROUP BY
  dept
ORDER BY
  dept NULLS LAST
LIMIT 1
