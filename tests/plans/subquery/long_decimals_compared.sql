SELECT
  x,
  (
    SELECT
      CASE WHEN NOT bool_and(matches) THEN FALSE WHEN count(*) = count(matches) THEN TRUE END
    FROM (
      SELECT
        rows.x > CAST(0 AS DECIMAL(38, 37)) AS matches
    ) AS rows_part
  ) AS more,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        rows.x = CAST(0 AS DECIMAL(38, 37)) AS matches
    ) AS rows_part
  ) AS found
FROM VALUES
  (CAST(0.0000000000000000000000000000000000001 AS DECIMAL(38, 37))),
  (CAST(0 AS DECIMAL(38, 37))),
  (CAST(NULL AS DECIMAL(38, 37))) AS rows(x)
