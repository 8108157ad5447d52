SELECT
  salary > 150 AS rich,
  count(*) AS n
FROM emp
GROUP BY
  salary > 150
