WITH r_shared AS (
  SELECT
    k,
    b
  FROM r
)
SELECT
  k,
  b
FROM r_shared
ORDER BY
  b DESC
