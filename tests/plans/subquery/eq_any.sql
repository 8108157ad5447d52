SELECT
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        t1.x = t3.x AS matches
      FROM t3
    ) AS t3_rows
  ) AS found
FROM t1
