SELECT
  10 - (4 - 3) AS w,
  (10 + 4) * 3 AS x,
  10 - 4 - 3 AS y,
  10 + 4 * 3 AS z
