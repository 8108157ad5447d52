SELECT
  dept,
  salary,
  count(*) AS n,
  CASE grouping_id() WHEN 1 THEN 0 WHEN 2 THEN 1 END AS g
FROM emp
GROUP BY
  GROUPING SETS (
    (dept),
    (salary)
  )
HAVING
  count(*) > 1 AND dept > 5
