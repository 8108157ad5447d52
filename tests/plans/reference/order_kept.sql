WITH r_shared AS (
  SELECT
    k,
    b
  FROM r
)
SELECT
  k AS k,
  b AS b
FROM r_shared
ORDER BY
  b DESC
