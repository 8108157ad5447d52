SELECT
  IF(
    addr IS NULL,
    NULL,
    named_struct('geo', IF(addr.geo IS NULL, NULL, named_struct('lon', addr.geo.lon)), 'city', addr.city)
  ) AS addr,
  id
FROM people
