SELECT
  l.k,
  l.a,
  r.k AS k2,
  r.b
FROM l
LEFT JOIN r
  ON l.k = r.k AND r.b = 20
WHERE
  r.b IS NULL
