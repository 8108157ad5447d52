SELECT
  count(*) OVER () AS n
