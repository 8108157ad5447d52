SELECT
  id,
  transform(
    IF(calls IS NULL, NULL, array(get(calls, 0))),
    x -> IF(x IS NULL, NULL, named_struct('minutes', x.minutes, 'who', x.who))
  ) AS calls
FROM people
