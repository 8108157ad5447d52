SELECT
  x,
  EXISTS(
    SELECT
      1
    FROM VALUES
      (2L),
      (3L) AS rows_2(y)
    WHERE
      rows.x = y
  ) AS m
FROM VALUES
  (1L),
  (2L) AS rows(x)
