SELECT
  rows.a,
  rows_2.b
FROM VALUES
  (1),
  (2) AS rows(a), VALUES
  ('x'),
  ('y'),
  ('x') AS rows_2(b)
