SELECT
  CAST(row_number AS BIGINT) AS place,
  sum(sum_v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s
FROM (
  SELECT
    id,
    sum(v) OVER (PARTITION BY k) AS sum_v,
    row_number() OVER (ORDER BY id) AS row_number
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
) AS rows_ranked
