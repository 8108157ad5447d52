SELECT
  rows.a
FROM range(3), VALUES
  (1),
  (2) AS rows(a)
