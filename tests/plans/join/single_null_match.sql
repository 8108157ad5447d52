SELECT
  a,
  matched.k AS k,
  matched.b AS b
FROM (
  SELECT
    a,
    (
      SELECT
        named_struct('k', r.k, 'b', r.b)
      FROM r
      WHERE
        r.b IS NULL AND l.k = r.k
    ) AS matched
  FROM l
) AS l_matched
