SELECT
  r.k,
  r.b
FROM r
LEFT SEMI JOIN l
  ON l.k = r.k
