SELECT
  dept,
  salary,
  coalesce(count, 0) AS n,
  coalesce(grouping_set, 2) AS g
FROM (
  SELECT
    dept,
    salary,
    count(*) AS count,
    CASE grouping_id() WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 3 THEN 2 END AS grouping_set
  FROM emp
  WHERE
    salary > 90
  GROUP BY
    ROLLUP (dept, salary)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
