SELECT
  k,
  any_value(v, TRUE) FILTER (WHERE w > 0) AS v
FROM VALUES
  (1L, CAST(NULL AS BIGINT), 1L),
  (1L, 7L, 1L),
  (1L, 8L, 0L),
  (2L, 9L, 0L),
  (2L, CAST(NULL AS BIGINT), 1L) AS rows(k, v, w)
GROUP BY
  k
