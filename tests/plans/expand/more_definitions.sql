SELECT
  rows.b,
  CASE copies.copy WHEN 0 THEN rows.a WHEN 1 THEN NULL END AS a,
  rows.a AS again,
  CASE copies.copy WHEN 0 THEN rows.b WHEN 1 THEN 'all' END AS part,
  9L AS nine,
  copies.copy
FROM VALUES
  (1L, 'x'),
  (2L, CAST(NULL AS STRING)) AS rows(a, b), VALUES
  (0),
  (1) AS copies(copy)
