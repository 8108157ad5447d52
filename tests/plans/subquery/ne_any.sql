SELECT
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        t1.x <> x AS matches
      FROM VALUES
        (1),
        (CAST(NULL AS INT)) AS rows(x)
    ) AS rows_rows
  ) AS found
FROM t1
