SELECT
  x,
  CASE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        NOT (rows.x > CAST(0 AS DECIMAL(38, 37)))
    )
    THEN FALSE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        (rows.x > CAST(0 AS DECIMAL(38, 37))) IS NULL
    )
    THEN NULL
    ELSE TRUE
  END AS more,
  CASE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        rows.x = CAST(0 AS DECIMAL(38, 37))
    )
    THEN TRUE
    WHEN EXISTS(
      SELECT
        1
      WHERE
        (rows.x = CAST(0 AS DECIMAL(38, 37))) IS NULL
    )
    THEN NULL
    ELSE FALSE
  END AS found
FROM VALUES
  (CAST(0.0000000000000000000000000000000000001 AS DECIMAL(38, 37))),
  (CAST(0 AS DECIMAL(38, 37))),
  (CAST(NULL AS DECIMAL(38, 37))) AS rows(x)
