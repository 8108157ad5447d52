WITH rows_shared AS (
  SELECT
    1
  WHERE
    FALSE
)
SELECT
  count(*) AS n,
  0 AS g
FROM rows_shared
UNION ALL
SELECT
  count(*),
  1
FROM rows_shared
