SELECT
  id
FROM emp
WHERE
  salary + salary > (
    SELECT
      sum(emp.salary)
    FROM emp
    WHERE
      emp.id > 4
  )
