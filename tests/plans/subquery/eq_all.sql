SELECT
  (
    SELECT
      CASE WHEN NOT bool_and(matches) THEN FALSE WHEN count(*) = count(matches) THEN TRUE END
    FROM (
      SELECT
        t1.x = x AS matches
      FROM VALUES
        (1),
        (1) AS rows(x)
    ) AS rows_rows
  ) AS found
FROM t1
