SELECT
  id AS a,
  people.people.id AS b
FROM people
