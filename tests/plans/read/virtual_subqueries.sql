SELECT
  1 AS a,
  (
    SELECT
      count(*)
    FROM people
  ) AS b
UNION ALL
SELECT
  2,
  NULL
