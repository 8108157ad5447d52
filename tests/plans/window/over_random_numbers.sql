SELECT
  id,
  row_number() OVER (ORDER BY random NULLS LAST) = rank() OVER (ORDER BY random NULLS LAST) AS same
FROM (
  SELECT
    id,
    rand() AS random
  FROM VALUES
    ('a', 1L, 10L),
    ('a', 2L, 20L),
    ('b', 3L, 30L),
    ('b', 4L, 40L),
    ('b', 5L, 5L) AS rows(k, id, v)
) AS rows_rows
