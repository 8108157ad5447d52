SELECT
  id,
  addr.city AS city,
  addr.geo.lon AS lon
FROM people
