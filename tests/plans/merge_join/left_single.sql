SELECT
  k,
  a,
  matched.k AS k2,
  matched.b AS b
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
