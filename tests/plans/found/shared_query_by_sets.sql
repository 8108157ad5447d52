WITH l_shared AS (
  SELECT
    k
  FROM l
  WHERE
    k >= 2
)
SELECT
  k,
  count(*) AS n,
  0 AS set
FROM l_shared
GROUP BY
  k
UNION ALL
SELECT
  k,
  count(*),
  1
FROM l_shared
GROUP BY
  k
