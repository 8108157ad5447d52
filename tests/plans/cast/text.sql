SELECT
  CAST(x AS STRING) AS a,
  CAST(s AS INT) AS b,
  CAST(s AS DECIMAL(5, 1)) AS c,
  CAST(s AS DOUBLE) AS d
FROM VALUES
  (42L, '17'),
  (-1L, '-3') AS rows(x, s)
