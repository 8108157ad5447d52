SELECT
  l_part.k,
  l_part.a,
  r_part.k AS k2,
  r_part.b
FROM (
  SELECT
    k,
    a
  FROM l
  WHERE
    a = 'b'
) AS l_part
FULL JOIN (
  SELECT
    k,
    b
  FROM r
  WHERE
    b = 40
) AS r_part
  ON l_part.k = r_part.k
