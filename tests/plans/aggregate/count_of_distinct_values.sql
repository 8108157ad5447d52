SELECT
  rows_agg.n,
  rows_agg_2.none
FROM (
  SELECT
    count(DISTINCT v + 1) AS n
  FROM VALUES
    (1L, 5L),
    (1L, 5L),
    (1L, CAST(NULL AS BIGINT)),
    (1L, CAST(NULL AS BIGINT)),
    (2L, CAST(NULL AS BIGINT)),
    (CAST(NULL AS BIGINT), 5L),
    (CAST(NULL AS BIGINT), 6L) AS rows(k, v)
) AS rows_agg, (
  SELECT
    count(DISTINCT v) AS none
  FROM VALUES
    (1L, 5L),
    (1L, 5L),
    (1L, CAST(NULL AS BIGINT)),
    (1L, CAST(NULL AS BIGINT)),
    (2L, CAST(NULL AS BIGINT)),
    (CAST(NULL AS BIGINT), 5L),
    (CAST(NULL AS BIGINT), 6L) AS rows(k, v)
  WHERE
    v > 9
) AS rows_agg_2
