SELECT
  l.k,
  l.a
FROM l
LEFT ANTI JOIN (
  SELECT
    CAST(NULL AS BIGINT) AS k
  WHERE
    FALSE
) AS rows_part
  ON l.k = rows_part.k
