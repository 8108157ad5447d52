SELECT
  k,
  b BETWEEN 20 AND 40 AS inside,
  b NOT BETWEEN 20 AND 40 AS outside,
  k BETWEEN 3 AND b AS by_column
FROM r
