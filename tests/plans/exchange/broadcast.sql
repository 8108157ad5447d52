SELECT
  l.k,
  l.a,
  r.k AS k2,
  r.b
FROM l
JOIN r
  ON l.k = r.k
