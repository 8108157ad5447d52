SELECT
  emp_top.name,
  dept.name AS dept
FROM (
  SELECT
    name,
    dept
  FROM emp
  ORDER BY
    id
  LIMIT 3
) AS emp_top
JOIN dept
  ON emp_top.dept = dept.id
