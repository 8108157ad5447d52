SELECT
  (
    SELECT
      CASE WHEN NOT bool_and(matches) THEN FALSE WHEN count(*) = count(matches) THEN TRUE END
    FROM (
      SELECT
        t1.x <> t2.x AS matches
      FROM t2
    ) AS t2_rows
  ) AS found
FROM t1
