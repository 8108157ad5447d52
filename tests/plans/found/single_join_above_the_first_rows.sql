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
        l_top.k = r.k
    ) AS matched
  FROM (
    SELECT
      k,
      a
    FROM l
    ORDER BY
      k NULLS LAST,
      a NULLS LAST
    LIMIT 1
  ) AS l_top, (SELECT 1) AS one_row
) AS l_matched
