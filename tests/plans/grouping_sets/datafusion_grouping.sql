SELECT
  dept,
  salary,
  coalesce(grouping_dept, 1) + coalesce(grouping_salary, 1) AS level,
  coalesce(count, 0) AS n,
  total,
  rank() OVER (
    PARTITION BY coalesce(grouping_dept, 1) + coalesce(grouping_salary, 1)
    ORDER BY total DESC NULLS FIRST
  ) AS place
FROM (
  SELECT
    dept,
    salary,
    count(*) AS count,
    sum(id) AS total,
    grouping(dept) AS grouping_dept,
    grouping(salary) AS grouping_salary
  FROM emp
  GROUP BY
    ROLLUP (dept, salary)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
