SELECT
  sum(salary) AS total,
  count(*) AS n
FROM (
  SELECT DISTINCT
    dept,
    salary
  FROM emp
) AS emp_distinct
