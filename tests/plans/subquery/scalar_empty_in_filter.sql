SELECT
  id
FROM emp
WHERE
  salary = (
    SELECT
      emp.salary
    FROM emp
    WHERE
      emp.id > 100
  )
