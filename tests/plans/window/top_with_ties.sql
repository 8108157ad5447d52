SELECT
  id,
  total
FROM (
  SELECT
    k,
    id,
    sum(v) OVER (PARTITION BY k) AS total,
    rank() OVER (ORDER BY k) AS rank
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
) AS rows_ranked
WHERE
  rank <= 1
ORDER BY
  k
