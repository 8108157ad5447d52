SELECT
  addr.geo AS geo,
  count(*) AS n
FROM people
GROUP BY
  addr.geo
