SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        FALSE AND NOT (t1.x <= CAST(NULL AS INT))
    )
    THEN FALSE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        FALSE AND (t1.x <= CAST(NULL AS INT)) IS NULL
    )
    THEN NULL
    ELSE TRUE
  END AS found
FROM t1
