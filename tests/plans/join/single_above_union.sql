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
        r.b <> 20 AND l_union.k = r.k
    ) AS matched
  FROM (
    SELECT
      k,
      a
    FROM l
    UNION ALL
    SELECT
      k,
      a
    FROM l
  ) AS l_union, (SELECT 1) AS one_row
) AS l_matched
