SELECT
  id,
  transform(
    CASE WHEN calls IS NOT NULL THEN array(get(calls, 0)) END,
    x -> CASE WHEN x IS NOT NULL THEN named_struct('minutes', x.minutes, 'who', x.who) END
  ) AS calls
FROM people
