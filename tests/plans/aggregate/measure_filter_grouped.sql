SELECT
  dept,
  count(*) FILTER (WHERE salary > 150) AS rich
FROM emp
GROUP BY
  dept
