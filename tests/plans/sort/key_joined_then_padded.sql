SELECT
  l.k,
  l.a,
  dept.id
FROM l
JOIN r
  ON l.k = r.k
RIGHT JOIN dept
  ON r.b = dept.id
ORDER BY
  l.k NULLS LAST,
  dept.id DESC,
  l.a NULLS LAST
