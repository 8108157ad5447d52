SELECT
  r.k,
  r.b
FROM r
LEFT ANTI JOIN l
  ON l.k = r.k
