SELECT
  named_struct('id', id, 'addr', IF(addr IS NULL, NULL, named_struct('zip', addr.zip))) AS s
FROM people
