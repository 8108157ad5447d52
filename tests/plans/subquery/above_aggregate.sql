SELECT
  dept,
  sum(salary) AS total
FROM emp
GROUP BY
  dept
HAVING
  sum(salary) > (
    SELECT
      max(emp.salary)
    FROM emp
  )
