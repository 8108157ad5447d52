SELECT
  id,
  slice(tags, 2, 2) AS tags
FROM people
