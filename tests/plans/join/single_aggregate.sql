SELECT
  k,
  a,
  matched.max_b AS top
FROM (
  SELECT
    k,
    a,
    (
      SELECT
        named_struct('max_b', max(r.b))
      FROM r
    ) AS matched
  FROM l
  WHERE
    k < 3
) AS l_matched
