SELECT
  id,
  CAST(
    size(
      collect_set(v) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    ) AS BIGINT
  ) AS n
FROM VALUES
  (1L, 1L),
  (2L, 1L),
  (3L, 2L),
  (4L, 5L),
  (5L, CAST(NULL AS BIGINT)) AS rows(id, v)
