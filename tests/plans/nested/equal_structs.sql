SELECT
  id
FROM people
WHERE
  addr.geo = named_struct('f0', 59.5D, 'f1', 10.5D)
