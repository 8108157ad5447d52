SELECT
  count(*) AS n
FROM people
WHERE
  id > 1
