SELECT
  id
FROM (
  SELECT
    id,
    dept,
    salary,
    (
      SELECT
        max(emp.salary)
      FROM emp
    ) AS max_salary
  FROM emp
) AS emp_computed
WHERE
  (max_salary = salary AND dept = 10) OR (max_salary = salary AND dept = 20)
