SELECT
  count(*) AS n
FROM l, r
