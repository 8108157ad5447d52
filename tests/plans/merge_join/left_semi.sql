SELECT /*+ MERGE(r) */
  l.k,
  l.a
FROM l
LEFT SEMI JOIN r
  ON l.k = r.k
