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
        named_struct('max_b', max_b)
      FROM (
        SELECT
          max(r.b) AS max_b
        FROM r
      ) AS r_agg
    ) AS matched
  FROM l
) AS l_matched
WHERE
  k < 3
