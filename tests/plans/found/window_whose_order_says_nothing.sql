SELECT
  count(1) OVER () AS n
