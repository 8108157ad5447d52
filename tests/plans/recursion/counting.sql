WITH RECURSIVE r AS (
  SELECT
    1L AS n
  UNION ALL
  SELECT
    n + 1
  FROM r
  WHERE
    n < 4
)
SELECT
  n
FROM r
