SELECT
  dept,
  salary,
  count(*) AS n,
  sum(id) AS ids,
  CASE grouping_id() WHEN 1 THEN 0 WHEN 0 THEN 1 WHEN 2 THEN 2 END AS g
FROM emp
WHERE
  dept = 10
GROUP BY
  GROUPING SETS (
    (salary),
    (salary, dept),
    (dept)
  )
