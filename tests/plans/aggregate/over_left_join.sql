SELECT
  l.a,
  count(*) AS n,
  count(r.k) AS matched,
  count(r.b) AS known
FROM l
LEFT JOIN r
  ON l.k = r.k
GROUP BY
  l.a
