SELECT
  id,
  transform(calls, x -> x.minutes) AS minutes
FROM people
