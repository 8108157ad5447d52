SELECT
  id,
  addr.zip AS zip
FROM people
WHERE
  addr.zip > 5
ORDER BY
  zip DESC
