SELECT
  l.a,
  r.b
FROM l
JOIN r
  ON l.k < r.k
