SELECT
  id,
  sum_v + 1 AS s
FROM (
  SELECT
    id,
    sum(v) OVER (PARTITION BY k) AS sum_v
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
) AS rows_ranked
ORDER BY
  sum_v DESC,
  id
