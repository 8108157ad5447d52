SELECT
  r.k,
  r.b
FROM r
LEFT ANTI JOIN l
  ON r.k = l.k
