SELECT
  id,
  aggregate(collect_set(v) OVER (), CAST(NULL AS BIGINT), (acc, x) -> coalesce(acc, 0) + x) AS s,
  aggregate(
    collect_set(v) OVER (),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) DIV size(collect_set(v) OVER ()) AS a,
  aggregate(
    collect_set(v) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
    CAST(NULL AS BIGINT),
    (acc, x) -> coalesce(acc, 0) + x
  ) AS running
FROM VALUES
  (1L, 1L, 0L),
  (2L, 1L, 1L),
  (3L, 2L, 2L),
  (4L, 5L, 1L),
  (5L, CAST(NULL AS BIGINT), 0L) AS rows(id, v, n)
