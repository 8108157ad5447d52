SELECT
  CAST(any_value(max_a) AS BIGINT) + any_value(max_a) AS twice
FROM (
  SELECT
    max(a) AS max_a
  FROM VALUES
    (2147483647),
    (CAST(NULL AS INT)) AS rows(a)
) AS rows_agg
