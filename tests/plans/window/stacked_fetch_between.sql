SELECT
  id,
  total,
  count(id) OVER () AS n
FROM (
  SELECT
    id,
    v,
    sum(v) OVER (PARTITION BY k) AS total
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
  ORDER BY
    v DESC
  LIMIT 3
) AS rows_top
ORDER BY
  v DESC
