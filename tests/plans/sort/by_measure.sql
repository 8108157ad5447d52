SELECT
  dept,
  sum(salary) AS total
FROM emp
GROUP BY
  dept
ORDER BY
  total DESC,
  dept
