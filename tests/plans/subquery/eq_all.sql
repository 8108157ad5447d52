SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1),
        (1) AS rows(x)
      WHERE
        t1.x <> x
    )
    THEN FALSE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1),
        (1) AS rows(x)
      WHERE
        (t1.x = x) IS NULL
    )
    THEN NULL
    ELSE TRUE
  END AS found
FROM t1
