SELECT
  l.a,
  r.b
FROM l
JOIN r
  ON (l.k = 1 AND r.b = 99) OR r.k = 4
