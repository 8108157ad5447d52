SELECT
  count(*) AS n,
  count(CAST(NULL AS BIGINT)) AS known,
  sum(CAST(NULL AS BIGINT)) AS total,
  max(CAST(NULL AS BIGINT)) AS most
WHERE
  FALSE
