SELECT
  dept,
  sum(salary) AS total,
  0 AS g
FROM emp
GROUP BY
  dept
UNION ALL
SELECT
  NULL,
  sum(salary),
  1
FROM emp
