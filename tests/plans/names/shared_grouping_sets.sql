SELECT
  dept,
  DEPT_2 AS DEPT,
  coalesce(grouping_set, 1) AS g
FROM (
  SELECT
    dept,
    sum(salary) AS DEPT_2,
    CAST(grouping_id() AS INT) AS grouping_set
  FROM emp
  GROUP BY
    ROLLUP (dept)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
ORDER BY
  DEPT_2 NULLS LAST,
  emp_agg.dept NULLS LAST
