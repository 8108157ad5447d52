SELECT
  count(*) AS n
FROM (
  SELECT DISTINCT
    addr.geo AS geo
  FROM people
) AS people_distinct
