SELECT
  dept,
  name,
  CAST(grouping(dept) AS INT) AS of_dept,
  max(salary) AS most
FROM emp
GROUP BY
  GROUPING SETS (
    (dept),
    (name)
  )
HAVING
  max(salary) > 100
