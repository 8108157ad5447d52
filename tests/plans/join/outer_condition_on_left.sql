SELECT
  l.a,
  r.b
FROM l
FULL JOIN r
  ON l.a = 'z'
