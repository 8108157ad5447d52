SELECT
  matched.k AS k,
  matched.a AS a,
  k AS k2,
  b
FROM (
  SELECT
    k,
    b,
    (
      SELECT
        named_struct('k', l.k, 'a', l.a)
      FROM l
      WHERE
        l.a <> 'b' AND l.k = r.k
    ) AS matched
  FROM r
) AS r_matched
