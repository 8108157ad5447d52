SELECT
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        CASE WHEN t3.x > 4 THEN 3 ELSE t3.x END = t2.x AS matches
      FROM t2
    ) AS t2_rows
  ) AS found
FROM t3
