SELECT
  CASE copies.copy WHEN 0 THEN rows_part.a WHEN 1 THEN rows_part.a END AS a,
  copies.copy
FROM (
  SELECT
    CAST(NULL AS BIGINT) AS a
  WHERE
    FALSE
) AS rows_part, VALUES
  (0),
  (1) AS copies(copy)
