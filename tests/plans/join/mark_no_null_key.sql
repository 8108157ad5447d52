SELECT
  k,
  a,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l.k = r.k AS matches
      FROM r
      WHERE
        r.k > 0
    ) AS r_part
  ) AS m
FROM l
