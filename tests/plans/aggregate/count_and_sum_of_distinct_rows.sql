SELECT
  k,
  count(v) AS n,
  sum(v) AS s
FROM (
  SELECT DISTINCT
    k,
    v
  FROM VALUES
    (1L, 5L),
    (1L, 5L),
    (1L, CAST(NULL AS BIGINT)),
    (1L, CAST(NULL AS BIGINT)),
    (2L, CAST(NULL AS BIGINT)),
    (CAST(NULL AS BIGINT), 5L),
    (CAST(NULL AS BIGINT), 6L) AS rows(k, v)
) AS rows_distinct
GROUP BY
  k
