SELECT
  salary
FROM (
  SELECT
    salary,
    rank() OVER (ORDER BY salary DESC) AS rank
  FROM emp
) AS emp_ranked
WHERE
  rank <= 2
ORDER BY
  salary DESC
