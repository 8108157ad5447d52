SELECT
  k,
  b IN (20, 40) AS inside,
  b NOT IN (20, 40) AS outside,
  k NOT IN (2, 3) AS denied,
  k IN (2, 3) OR b = 40 AS two_columns
FROM r
