SELECT
  k,
  aggregate(
    collect_set(v) OVER (PARTITION BY k),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s,
  coalesce(
    aggregate(
      collect_set(v) OVER (PARTITION BY k),
      CAST(NULL AS BIGINT),
      (acc, x) -> coalesce(acc, 0) + x
    ),
    0
  ) AS z,
  CAST(
    aggregate(
      collect_set(v) OVER (PARTITION BY k),
      CAST(NULL AS BIGINT),
      (acc, x) -> coalesce(acc, 0) + x
    )
      DIV size(collect_set(v) OVER (PARTITION BY k)) AS INT
  ) AS a,
  CAST(size(collect_set(v) OVER (PARTITION BY k)) AS BIGINT) AS n,
  max(v) OVER (PARTITION BY k) AS m
FROM VALUES
  (1L, 4),
  (1L, 4),
  (2L, CAST(NULL AS INT)) AS rows(k, v)
