SELECT
  a,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l.k = r.k AS matches
      FROM r
    ) AS r_rows
  ) AS m,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l.k = 1 AS matches
    ) AS rows_part
  ) AS n
FROM l
