SELECT
  emp.name,
  emp.id
FROM emp
LEFT SEMI JOIN dept
  ON emp.dept = dept.id
