SELECT
  a,
  (
    SELECT
      CASE
        WHEN bool_or(CAST(NULL AS BOOLEAN)) THEN TRUE
        WHEN count(*) = count(CAST(NULL AS BOOLEAN)) THEN FALSE
      END
    FROM r
  ) AS m
FROM l
