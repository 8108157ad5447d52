SELECT
  dept.name AS dept,
  emp.name
FROM emp
JOIN dept
  ON emp.dept = dept.id
