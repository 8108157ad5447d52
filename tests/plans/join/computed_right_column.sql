SELECT
  l.a,
  r_rows.found
FROM l
LEFT JOIN (
  SELECT
    k,
    1 AS found
  FROM r
) AS r_rows
  ON l.k = r_rows.k
