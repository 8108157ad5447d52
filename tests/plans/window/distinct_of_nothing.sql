SELECT
  k,
  aggregate(collect_set(v) OVER (PARTITION BY k), CAST(NULL AS BIGINT), (s, v) -> coalesce(s, 0) + v) AS s,
  coalesce(aggregate(collect_set(v) OVER (PARTITION BY k), CAST(NULL AS BIGINT), (s, v) -> coalesce(s, 0) + v), 0) AS z,
  CAST(aggregate(collect_set(v) OVER (PARTITION BY k), CAST(NULL AS BIGINT), (s, v) -> coalesce(s, 0) + v) DIV size(collect_set(v) OVER (PARTITION BY k)) AS INT) AS a,
  CAST(size(collect_set(v) OVER (PARTITION BY k)) AS BIGINT) AS n,
  max(v) OVER (PARTITION BY k) AS m
FROM VALUES
  (1L, 4),
  (1L, 4),
  (2L, CAST(NULL AS INT)) AS rows(k, v)
