SELECT
  k,
  total
FROM (
  SELECT
    k,
    sum(sum(v)) OVER () AS total,
    max(id) AS max_id
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
  GROUP BY
    k
) AS rows_ranked
ORDER BY
  max_id DESC
