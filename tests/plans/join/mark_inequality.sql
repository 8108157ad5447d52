SELECT
  x,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1L),
        (4L) AS rows_2(y)
      WHERE
        rows.x < y
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1L),
        (4L) AS rows_2(y)
      WHERE
        (rows.x < y) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM VALUES
  (5L),
  (0L),
  (CAST(NULL AS BIGINT)) AS rows(x)
