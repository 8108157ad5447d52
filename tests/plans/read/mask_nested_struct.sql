SELECT
  CASE
    WHEN addr IS NOT NULL
    THEN named_struct(
      'geo',
      CASE WHEN addr.geo IS NOT NULL THEN named_struct('lon', addr.geo.lon) END,
      'city',
      addr.city
    )
  END AS addr,
  id
FROM people
