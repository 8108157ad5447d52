SELECT
  id,
  sum(row_number) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) + 100 AS s
FROM (
  SELECT
    id,
    row_number() OVER (ORDER BY id DESC) AS row_number
  FROM VALUES
    (1L, 1L),
    (2L, 1L),
    (3L, 2L),
    (4L, 5L),
    (5L, CAST(NULL AS BIGINT)) AS rows(id, v)
) AS rows_ranked
