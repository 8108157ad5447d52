SELECT
  id,
  id + 1 AS next,
  get(array(id, 9L), 1) AS nine,
  get(array(named_struct('f0', id)), 0).f0 AS self
FROM people
