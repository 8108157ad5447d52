SELECT
  id,
  v - sum(v) OVER (PARTITION BY k) AS d,
  row_number() OVER (ORDER BY id) * id AS m
FROM VALUES
  ('a', 1L, 10L),
  ('a', 2L, 20L),
  ('b', 3L, 30L),
  ('b', 4L, 40L),
  ('b', 5L, 5L) AS rows(k, id, v)
