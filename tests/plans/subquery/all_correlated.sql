SELECT
  id
FROM emp
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM emp AS emp_2
    WHERE
      emp_2.dept = emp.dept AND coalesce(NOT (emp.salary <= emp_2.salary), TRUE)
  )
