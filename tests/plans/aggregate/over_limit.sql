SELECT
  count(*) AS n,
  sum(salary) AS total
FROM (
  SELECT
    salary
  FROM emp
  ORDER BY
    id DESC
  LIMIT 3
) AS emp_top
