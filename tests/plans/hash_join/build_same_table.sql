SELECT /*+ SHUFFLE_HASH(emp_2) */
  emp.name AS a,
  emp_2.name AS b
FROM emp
JOIN emp AS emp_2
  ON emp.dept = emp_2.dept AND emp.id < emp_2.id
