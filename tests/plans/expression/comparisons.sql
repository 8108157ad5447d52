SELECT
  a = b AS eq,
  a <> b AS ne,
  a < b AS lt,
  a IS NOT DISTINCT FROM b AS same,
  b IS NULL AS `null`,
  b IS NOT NULL AS known
FROM VALUES
  (1, 1),
  (1, 2),
  (1, CAST(NULL AS INT)),
  (CAST(NULL AS INT), CAST(NULL AS INT)) AS rows(a, b)
