SELECT
  k,
  a,
  (
    SELECT
      CASE WHEN bool_or(matches) THEN TRUE WHEN count(*) = count(matches) THEN FALSE END
    FROM (
      SELECT
        l.k = CAST(NULL AS BIGINT) AS matches
      WHERE
        FALSE
    ) AS rows_part
  ) AS m
FROM l
