SELECT
  A_3 AS x,
  a AS y
FROM VALUES
  (1, 2, 3),
  (4, 5, 6) AS rows(a, a_2, A_3)
