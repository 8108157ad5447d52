SELECT
  count(*) AS rows,
  count(DISTINCT 1) AS one,
  count(CAST(NULL AS BIGINT)) AS none,
  count(b) AS known
FROM r
