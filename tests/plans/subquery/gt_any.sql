SELECT
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        t1.x > t2.x AS matches
      FROM t2
    ) AS t2_rows
  ) AS found
FROM t1
