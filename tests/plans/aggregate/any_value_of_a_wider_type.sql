SELECT
  CAST(max(a) AS BIGINT) + max(a) AS twice
FROM VALUES
  (2147483647),
  (CAST(NULL AS INT)) AS rows(a)
