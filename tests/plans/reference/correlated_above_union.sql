WITH l_shared AS (
  SELECT
    k,
    a
  FROM l
  UNION ALL
  SELECT
    k,
    a
  FROM l
)
SELECT
  a,
  EXISTS(
    SELECT
      1
    FROM r
    WHERE
      r.k = l_shared.k
  ) AS found
FROM l_shared, (SELECT 1) AS one_row
