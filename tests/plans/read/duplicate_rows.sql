SELECT
  a
FROM VALUES
  (1),
  (1),
  (CAST(NULL AS INT)),
  (CAST(NULL AS INT)) AS rows(a)
