SELECT
  l.a,
  r.b
FROM l
LEFT JOIN r
  ON l.k = r.k AND r.b > 10
ORDER BY
  r.b NULLS LAST,
  l.a NULLS LAST
