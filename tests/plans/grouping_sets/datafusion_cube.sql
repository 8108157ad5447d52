SELECT
  dept,
  salary,
  coalesce(grouping_dept, 1) AS of_dept,
  coalesce(grouping_salary, 1) AS of_salary,
  CAST(CAST(coalesce(grouping_set, 3) & 3 AS SMALLINT) AS INT) AS `both`,
  coalesce(count_salary, 0) AS n
FROM (
  SELECT
    dept,
    salary,
    CAST(grouping_id() AS INT) AS grouping_set,
    count(salary) AS count_salary,
    grouping(dept) AS grouping_dept,
    grouping(salary) AS grouping_salary
  FROM emp
  GROUP BY
    CUBE (dept, salary)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
