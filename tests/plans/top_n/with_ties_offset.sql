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
  rank <= 3 AND row_number > 2
ORDER BY
  salary DESC
