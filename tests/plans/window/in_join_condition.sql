SELECT
  k,
  a,
  k_2 AS k2,
  b
FROM (
  SELECT
    l.k,
    l.a,
    r.k AS k_2,
    r.b,
    row_number() OVER (ORDER BY l.a NULLS LAST, r.b NULLS LAST) AS row_number
  FROM l, r
) AS l_ranked
WHERE
  row_number <= 2
