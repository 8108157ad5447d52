SELECT
  l.k,
  l.a,
  r.k AS k2,
  r.b,
  rows.b AS b2
FROM l
LEFT JOIN r
  ON l.k = r.k
JOIN VALUES
  (20L),
  (CAST(NULL AS BIGINT)) AS rows(b)
  ON r.b = rows.b
