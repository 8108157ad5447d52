SELECT
  CASE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        FALSE AND t1.x <= CAST(NULL AS INT)
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        FALSE AND (t1.x <= CAST(NULL AS INT)) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM t1
