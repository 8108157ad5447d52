SELECT
  dept,
  total
FROM (
  SELECT
    dept,
    sum(salary) AS total,
    row_number() OVER (ORDER BY sum(salary) DESC) AS row_number
  FROM emp
  GROUP BY
    dept
) AS emp_ranked
WHERE
  row_number = 1
