SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        t1.x > t2.x
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        (t1.x > t2.x) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM t1
