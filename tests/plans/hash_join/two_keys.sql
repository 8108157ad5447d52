SELECT
  emp.id,
  emp_2.id AS id2
FROM emp
JOIN emp AS emp_2
  ON emp.dept = emp_2.dept AND emp.salary IS NOT DISTINCT FROM emp_2.salary
