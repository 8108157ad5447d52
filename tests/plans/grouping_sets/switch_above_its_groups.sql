SELECT
  count(*) AS groups,
  CASE WHEN coalesce(grouping_set, 1) = 0 THEN 0Y ELSE 1Y END AS grouping
FROM (
  SELECT
    CAST(grouping_id() AS INT) AS grouping_set
  FROM emp
  GROUP BY
    ROLLUP (dept)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
GROUP BY
  coalesce(grouping_set, 1)
