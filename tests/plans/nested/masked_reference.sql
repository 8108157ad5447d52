SELECT
  named_struct(
    'id',
    id,
    'addr',
    CASE WHEN addr IS NOT NULL THEN named_struct('zip', addr.zip) END
  ) AS s
FROM people
