SELECT
  'x' AS x
FROM people
LIMIT 2
