SELECT
  k,
  a,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l_union.k = r.k AS matches
      FROM r
    ) AS r_rows
  ) AS m
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
