SELECT
  l.k,
  l.a,
  r.k AS k2,
  r.b
FROM l
JOIN r
  ON coalesce(l.k = r.k, TRUE)
