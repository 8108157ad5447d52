SELECT
  id,
  salary
FROM (
  SELECT
    id,
    salary,
    row_number() OVER (ORDER BY salary DESC) AS row_number
  FROM emp
) AS emp_ranked
WHERE
  row_number <= 3 AND salary > 200
