SELECT
  id,
  CAST(
    transform(
      slice(calls, 1, 9),
      x -> CASE WHEN x IS NOT NULL THEN named_struct('minutes', x.minutes) END
    ) AS ARRAY<STRUCT<m: INT>>
  ) AS calls
FROM people
