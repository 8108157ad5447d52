SELECT
  a,
  b,
  (b > 1) IS TRUE AS more
FROM VALUES
  (1, 1),
  (1, 2),
  (1, CAST(NULL AS INT)),
  (1, 3),
  (CAST(NULL AS INT), 1),
  (2, 1) AS rows(a, b)
WHERE
  a = 1 AND (b IS NULL OR b < 3)
