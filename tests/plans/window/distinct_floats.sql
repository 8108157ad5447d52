SELECT
  aggregate(
    collect_set(x + 0) OVER (),
    CAST(NULL AS DOUBLE),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS s,
  aggregate(
    collect_set(x + 0) OVER (),
    CAST(NULL AS DOUBLE),
    (acc, x) -> coalesce(acc, 0) + x
  ) / size(collect_set(x + 0) OVER ()) AS a,
  CAST(size(collect_set(x + 0) OVER ()) AS BIGINT) AS n
FROM VALUES
  (0.5D),
  (0.5D),
  (0.0D),
  (-0.0D),
  (CAST(NULL AS DOUBLE)) AS rows(x)
