SELECT
  addr.city AS city
FROM (
  SELECT
    id,
    addr
  FROM people
  ORDER BY
    id
  LIMIT 2
) AS people_top
WHERE
  addr.geo IS NULL
ORDER BY
  id
