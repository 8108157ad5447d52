SELECT
  l.a,
  r.b
FROM l
LEFT JOIN r
  ON l.k = r.k AND l.k IN (2, 4)
WHERE
  l.k IN (4, 2) OR r.b IS NULL
