SELECT
  l.k,
  l.a,
  r.b,
  dept.id
FROM l
JOIN r
  ON l.k = r.k
LEFT JOIN dept
  ON r.b = dept.id
ORDER BY
  l.k,
  r.k DESC,
  dept.id NULLS LAST,
  r.b NULLS LAST,
  l.a NULLS LAST
