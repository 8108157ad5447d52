SELECT
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        t1.x <= CAST(NULL AS INT) AS matches
      WHERE
        FALSE
    ) AS rows_part
  ) AS found
FROM t1
