SELECT
  r.k,
  r.b
FROM r
LEFT SEMI JOIN (
  SELECT
    k,
    (
      SELECT
        named_struct('found', 1, 'k', r.k, 'b', r.b)
      FROM r
      WHERE
        r.b <> 20 AND l.k = r.k
    ) AS matched
  FROM l
) AS l_matched
  ON r.k = l_matched.k AND coalesce(l_matched.matched.found = 1, TRUE)
