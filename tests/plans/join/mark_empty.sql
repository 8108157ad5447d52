SELECT
  k,
  a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        FALSE AND l.k = CAST(NULL AS BIGINT)
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        FALSE AND (l.k = CAST(NULL AS BIGINT)) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM l
