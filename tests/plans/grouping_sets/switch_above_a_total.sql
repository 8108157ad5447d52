SELECT
  dept,
  CAST(CASE coalesce(grouping_set, 1) WHEN 0 THEN 0 ELSE 1 END AS BIGINT) AS grouping
FROM (
  SELECT
    dept,
    CAST(grouping_id() AS INT) AS grouping_set
  FROM emp
  GROUP BY
    ROLLUP (dept)
) AS emp_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
