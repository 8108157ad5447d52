SELECT
  dept,
  total,
  coalesce(grouping_set, 1) AS g
FROM (
  SELECT
    dept,
    sum(salary) AS total,
    CAST(grouping_id() AS INT) AS grouping_set
  FROM emp
  GROUP BY
    ROLLUP (dept)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
