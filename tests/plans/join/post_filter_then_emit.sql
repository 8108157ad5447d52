SELECT
  r.b
FROM l
RIGHT JOIN r
  ON l.k = r.k
WHERE
  l.a IS NULL
