SELECT
  l_matched.k,
  l_matched.a,
  l_matched.matched.k AS k2,
  l_matched.matched.b AS b,
  rows_part.b2
FROM (
  SELECT
    k,
    a,
    (
      SELECT
        named_struct('k', r.k, 'b', r.b)
      FROM r
      WHERE
        r.b <> 20 AND l.k = r.k
    ) AS matched
  FROM l
) AS l_matched
JOIN (
  SELECT
    21L AS b2
) AS rows_part
  ON l_matched.matched.b = rows_part.b2
