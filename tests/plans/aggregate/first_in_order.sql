SELECT
  dept,
  min_by(salary, place) AS last,
  count(*) AS n
FROM (
  SELECT
    dept,
    salary,
    row_number() OVER (PARTITION BY dept ORDER BY id DESC) AS place
  FROM emp
) AS emp_ranked
GROUP BY
  dept
