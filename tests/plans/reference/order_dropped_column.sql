WITH r_shared AS (
  SELECT
    k,
    b
  FROM r
)
SELECT
  r_top.k,
  r_shared.k AS k2
FROM (
  SELECT
    k
  FROM r_shared
  ORDER BY
    b DESC
  LIMIT 2
) AS r_top
JOIN r_shared
  ON r_top.k = r_shared.k
