SELECT
  coalesce(sum(count_b), 0) AS n
FROM (
  SELECT
    count(CAST(NULL AS BIGINT)) AS count_b
  WHERE
    FALSE
  GROUP BY
    CAST(NULL AS BIGINT)
) AS rows_agg
