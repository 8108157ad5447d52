SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        CASE WHEN t3.x > 4 THEN 3 ELSE t3.x END = t2.x
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM t2
      WHERE
        (CASE WHEN t3.x > 4 THEN 3 ELSE t3.x END = t2.x) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM t3
