SELECT
  dept,
  salary,
  sum(dept) AS depts,
  count(salary) AS salaries,
  CASE grouping_id() WHEN 1 THEN 0 WHEN 2 THEN 1 END AS g
FROM emp
GROUP BY
  GROUPING SETS (
    (dept),
    (salary)
  )
