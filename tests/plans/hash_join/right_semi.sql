SELECT
  r.k,
  r.b
FROM r
LEFT SEMI JOIN l
  ON r.k = l.k
