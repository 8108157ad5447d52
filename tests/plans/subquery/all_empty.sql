SELECT
  (
    SELECT
      CASE WHEN NOT bool_and(matches) THEN FALSE WHEN count(*) = count(matches) THEN TRUE END
    FROM (
      SELECT
        t1.x <= CAST(NULL AS INT) AS matches
      WHERE
        FALSE
    ) AS rows_part
  ) AS found
FROM t1
