SELECT
  rows.id AS a,
  rows_2.id AS b,
  rows_3.id AS c
FROM range(2, 5) AS rows, range(2) AS rows_2, VALUES
  (1L),
  (3L) AS rows_3(id)
