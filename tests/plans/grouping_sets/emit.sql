SELECT
  0 AS g,
  dept
FROM emp
GROUP BY
  dept
UNION ALL
SELECT
  1,
  NULL
