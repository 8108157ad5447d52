SELECT
  a,
  coalesce(grouping_set, 1) AS g
FROM (
  SELECT
    a,
    CAST(grouping_id() AS INT) AS grouping_set
  FROM (
    SELECT
      CAST(NULL AS BIGINT) AS a
    WHERE
      FALSE
  ) AS rows_part
  GROUP BY
    ROLLUP (a)
) AS rows_part_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
