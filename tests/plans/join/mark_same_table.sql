SELECT
  id,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM emp AS emp_2
      WHERE
        emp.dept = emp_2.dept AND emp.salary < emp_2.salary
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM emp AS emp_2
      WHERE
        (emp.dept = emp_2.dept AND emp.salary < emp_2.salary) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM emp
