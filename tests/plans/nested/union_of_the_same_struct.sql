SELECT
  geo.lon AS lon
FROM (
  SELECT
    addr.geo AS geo
  FROM people
  UNION ALL
  SELECT
    addr.geo
  FROM people
) AS people_union
WHERE
  geo.lat + 0 > 2.0D
