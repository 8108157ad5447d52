SELECT
  rows_part.s,
  rows.n,
  rows_part.s AS again
FROM VALUES
  (1),
  (2) AS rows(n), (
  SELECT
    'a' AS s
) AS rows_part
