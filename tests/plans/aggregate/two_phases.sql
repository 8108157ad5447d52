SELECT
  sum(sum_salary) AS total,
  coalesce(sum(count_salary), 0) AS n,
  min(min_salary) AS least
FROM (
  SELECT
    sum(salary) AS sum_salary,
    count(salary) AS count_salary,
    min(salary) AS min_salary
  FROM emp
  GROUP BY
    dept
) AS emp_agg
