SELECT
  salary
FROM (
  SELECT
    salary,
    rank() OVER (ORDER BY salary DESC) AS rank,
    row_number() OVER (ORDER BY salary DESC) AS row_number
  FROM emp
) AS emp_ranked
WHERE
  row_number > 1 AND rank <= 2
ORDER BY
  salary DESC
