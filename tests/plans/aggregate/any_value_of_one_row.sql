SELECT
  dept_agg.n,
  rows_agg.most
FROM (
  SELECT
    count(*) AS n
  FROM dept
) AS dept_agg, (
  SELECT
    max(CAST(NULL AS BIGINT)) AS most
  WHERE
    FALSE
) AS rows_agg
