SELECT
  1 AS one,
  dept,
  count(*) AS n
FROM emp
GROUP BY
  CAST(1 AS INT),
  dept
