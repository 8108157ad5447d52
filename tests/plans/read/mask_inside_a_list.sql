SELECT
  id,
  CAST(transform(slice(calls, 1, 9), x -> IF(x IS NULL, NULL, named_struct('minutes', x.minutes))) AS ARRAY<STRUCT<m: INT>>) AS calls
FROM people
