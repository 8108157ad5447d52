SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        t1.x = t2.x
    )
    THEN FALSE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        (t1.x <> t2.x) IS NULL
    )
    THEN NULL
    ELSE TRUE
  END AS found
FROM t1
