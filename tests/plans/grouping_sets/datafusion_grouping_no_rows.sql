SELECT
  dept,
  salary,
  coalesce(grouping_dept, 1) AS of_dept,
  coalesce(grouping_salary, 1) AS of_salary,
  coalesce(count, 0) AS n,
  total
FROM (
  SELECT
    dept,
    salary,
    count(*) AS count,
    sum(id) AS total,
    grouping(dept) AS grouping_dept,
    grouping(salary) AS grouping_salary
  FROM emp
  WHERE
    id > 100
  GROUP BY
    ROLLUP (dept, salary)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
