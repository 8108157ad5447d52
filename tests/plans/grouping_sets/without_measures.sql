WITH rows_shared AS (
  SELECT
    CAST(NULL AS BIGINT) AS a
  WHERE
    FALSE
)
SELECT
  a,
  0 AS g
FROM rows_shared
GROUP BY
  a
UNION ALL
SELECT
  NULL,
  1
