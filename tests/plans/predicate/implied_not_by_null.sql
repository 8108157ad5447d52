SELECT
  k,
  b,
  k IN (2, 4) AND (k IN (4, 2) OR b IS NULL) AS `both`
FROM r
WHERE
  k IN (4, 2) OR b IS NULL
