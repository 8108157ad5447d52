SELECT
  total,
  CAST(row_number() OVER (ORDER BY total NULLS LAST) AS BIGINT) AS place,
  count(total) OVER () AS n
FROM (
  SELECT
    sum(v) OVER (PARTITION BY k) AS total
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
) AS rows_ranked
GROUP BY
  total
