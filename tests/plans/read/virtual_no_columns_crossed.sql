SELECT
  rows_2.a
FROM range(3) AS rows, VALUES
  (1),
  (2) AS rows_2(a)
