SELECT
  l.k,
  l.a
FROM l
LEFT ANTI JOIN r
  ON l.k = r.k
