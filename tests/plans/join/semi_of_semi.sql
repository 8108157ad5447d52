SELECT
  emp.id,
  emp.name,
  emp.dept,
  emp.salary
FROM emp
LEFT SEMI JOIN dept
  ON emp.dept = dept.id
LEFT SEMI JOIN dept AS dept_2
  ON emp.id = dept_2.head
