SELECT
  dept,
  name
FROM (
  SELECT
    name,
    dept,
    row_number() OVER (PARTITION BY dept ORDER BY salary DESC) AS row_number
  FROM emp
) AS emp_ranked
WHERE
  row_number = 1
