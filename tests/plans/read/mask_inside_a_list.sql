SELECT
  id,
  transform(
    slice(calls, 1, 9),
    x -> CASE WHEN x IS NOT NULL THEN named_struct('m', x.minutes) END
  ) AS calls
FROM people
