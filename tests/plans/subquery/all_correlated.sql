SELECT
  id
FROM emp
WHERE
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM emp AS emp_2
      WHERE
        emp_2.dept = emp.dept AND NOT (emp.salary <= emp_2.salary)
    )
    THEN FALSE
    WHEN EXISTS(
      SELECT
        1
      FROM emp AS emp_2
      WHERE
        emp_2.dept = emp.dept AND (emp.salary <= emp_2.salary) IS NULL
    )
    THEN NULL
    ELSE TRUE
  END
