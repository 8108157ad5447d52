SELECT
  a,
  CASE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        CAST(NULL AS BOOLEAN)
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      FROM r
      WHERE
        CAST(NULL AS BOOLEAN) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS m
FROM l
