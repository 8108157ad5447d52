SELECT
  k,
  b,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l.k = r.k AS matches
      FROM l
    ) AS l_rows
  ) AS m
FROM r
