SELECT
  id,
  sum(id) OVER () AS s
FROM VALUES
  (1L, 1L),
  (2L, 1L),
  (3L, 2L),
  (4L, 5L),
  (5L, CAST(NULL AS BIGINT)) AS rows(id, v)
