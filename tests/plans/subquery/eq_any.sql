SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM t3
      WHERE
        t1.x = t3.x
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM t3
      WHERE
        (t1.x = t3.x) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM t1
