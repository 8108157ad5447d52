SELECT
  dept,
  sum(salary) AS total,
  0 AS g
FROM emp
GROUP BY
  dept
UNION ALL
SELECT
  dept,
  sum(salary),
  1
FROM emp
GROUP BY
  dept
