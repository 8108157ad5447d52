SELECT
  count(*) AS n
FROM range(3) AS rows
