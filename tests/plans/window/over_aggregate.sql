SELECT
  dept,
  sum(salary) AS total,
  sum(sum(salary)) OVER () AS `all`
FROM emp
GROUP BY
  dept
