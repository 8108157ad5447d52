SELECT
  count(*) AS n
FROM range(0)
