SELECT
  a,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l.k = k AS matches
      FROM (
        SELECT
          r.k
        FROM r
        ORDER BY
          r.b DESC
        LIMIT 2
      ) AS r_top
    ) AS r_part
  ) AS m
FROM l
