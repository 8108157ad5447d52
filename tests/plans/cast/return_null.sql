SELECT
  TRY_CAST(s AS INT) AS i,
  TRY_CAST(s AS TINYINT) AS b
FROM VALUES
  ('12'),
  ('twelve'),
  ('300') AS rows(s)
