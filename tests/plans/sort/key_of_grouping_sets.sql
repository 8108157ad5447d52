SELECT
  k,
  coalesce(count, 0) AS n
FROM (
  SELECT
    k,
    count(*) AS count
  FROM r
  WHERE
    k > 1
  GROUP BY
    ROLLUP (k)
) AS r_agg
/* over no rows there is a total, too, which Spark's grouping sets leave out */
FULL JOIN (SELECT 1) AS one_row
  ON TRUE
ORDER BY
  n DESC,
  k NULLS LAST
