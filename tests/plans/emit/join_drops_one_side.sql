SELECT
  dept.name
FROM l
JOIN dept
  ON l.k < 2
