SELECT
  x
FROM t1
WHERE
  NOT CASE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        t2.x > 1 AND t1.x > t2.x
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        t2.x > 1 AND (t1.x > t2.x) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END
