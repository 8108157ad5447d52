SELECT
  id
FROM emp
WHERE
  EXISTS(
    SELECT
      1
    FROM dept AS dept_2
    WHERE
      dept_2.id = emp.dept
      AND dept_2.head IN (
        SELECT
          emp_2.id
        FROM emp AS emp_2
        WHERE
          emp_2.salary > 250
      )
  )
