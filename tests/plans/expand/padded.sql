SELECT
  CASE copies.copy WHEN 0 THEN rows_part.a WHEN 1 THEN NULL WHEN 2 THEN 7 END AS a,
  CASE copies.copy WHEN 0 THEN rows_part.b WHEN 1 THEN 'y' END AS b,
  copies.copy
FROM (
  SELECT
    1L AS a,
    'x' AS b
) AS rows_part, VALUES
  (0),
  (1),
  (2) AS copies(copy)
