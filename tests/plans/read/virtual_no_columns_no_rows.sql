SELECT
  count(*) AS n
WHERE
  FALSE
