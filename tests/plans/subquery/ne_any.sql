SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1),
        (CAST(NULL AS INT)) AS rows(x)
      WHERE
        t1.x <> x
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM VALUES
        (1),
        (CAST(NULL AS INT)) AS rows(x)
      WHERE
        (t1.x <> x) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM t1
