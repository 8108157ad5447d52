SELECT
  id
FROM emp
WHERE
  salary = (
    SELECT
      max(emp.salary)
    FROM emp
  )
