SELECT
  id
FROM emp
WHERE
  salary = (
    SELECT
      max(emp_2.salary)
    FROM emp AS emp_2
    WHERE
      emp_2.dept = emp.dept
  )
