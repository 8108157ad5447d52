SELECT
  addr
FROM people
