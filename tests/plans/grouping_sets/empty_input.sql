WITH rows_shared AS (
  SELECT
    CAST(NULL AS BIGINT) AS a,
    CAST(NULL AS BIGINT) AS b
  WHERE
    FALSE
)
SELECT
  a,
  count(*) AS n,
  sum(b) AS total,
  0 AS g
FROM rows_shared
GROUP BY
  a
UNION ALL
SELECT
  NULL,
  count(*),
  sum(b),
  1
FROM rows_shared
