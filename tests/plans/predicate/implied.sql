SELECT
  l.a,
  r.b
FROM l
JOIN r
  ON l.k = r.k
WHERE
  (l.a = 'b' AND r.b = 20) OR (l.a = 'c' AND r.b = 21)
