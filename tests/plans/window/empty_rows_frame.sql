SELECT
  id,
  0L AS n,
  CAST(NULL AS BIGINT) AS s,
  CAST(NULL AS BIGINT) AS f
FROM VALUES
  (1L, 1L),
  (2L, 1L),
  (3L, 2L),
  (4L, 5L),
  (5L, CAST(NULL AS BIGINT)) AS rows(id, v)
