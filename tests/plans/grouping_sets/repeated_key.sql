SELECT
  id AS a,
  NULL AS b,
  count(*) AS n,
  0 AS g
FROM dept
GROUP BY
  id
UNION ALL
SELECT
  NULL,
  id,
  count(*),
  1
FROM dept
GROUP BY
  id
