SELECT
  named_struct('a', id, 'b', 7S, 'c', addr.city) AS s,
  array(id, id + 1) AS l,
  map('id', id, 'one', 1L) AS m
FROM people
WHERE
  3 > id
