SELECT
  l.a,
  rows_part.b
FROM l
LEFT JOIN (
  SELECT
    CAST(NULL AS BIGINT) AS b
  WHERE
    FALSE
) AS rows_part
  ON TRUE
