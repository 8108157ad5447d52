SELECT
  k,
  count(v) AS n
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
  ORDER BY
    k NULLS LAST,
    v NULLS LAST
  LIMIT 2
) AS rows_top
GROUP BY
  k
