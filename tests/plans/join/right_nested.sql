SELECT
  emp.id,
  dept_joined.name AS dept,
  dept_joined.name_2 AS head
FROM emp
LEFT JOIN (
  SELECT
    dept.id,
    dept.name,
    emp.name AS name_2
  FROM dept
  LEFT JOIN emp
    ON dept.head = emp.id
) AS dept_joined
  ON emp.dept = dept_joined.id
