SELECT /*+ MERGE(r) */
  l.k,
  l.a,
  r.k AS k2,
  r.b
FROM l
RIGHT JOIN r
  ON l.k = r.k AND r.b > 20
