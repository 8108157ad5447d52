SELECT
  dept,
  count(*) AS n,
  CASE grouping_id() WHEN 1 THEN 0 WHEN 2 THEN 1 END AS g
FROM emp
GROUP BY
  GROUPING SETS (
    (salary),
    (dept)
  )
HAVING
  CASE grouping_id() WHEN 1 THEN 0 WHEN 2 THEN 1 END = 1
ORDER BY
  dept NULLS LAST
