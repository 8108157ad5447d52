SELECT /*+ MERGE(dept),
  MERGE(emp_2) */
  emp.name,
  dept.name AS dept,
  emp_2.name AS head
FROM emp
JOIN dept
  ON emp.dept = dept.id
JOIN emp AS emp_2
  ON dept.head = emp_2.id
