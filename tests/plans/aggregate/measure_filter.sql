SELECT
  count(*) AS n,
  count(*) FILTER (WHERE salary > 100) AS rich,
  sum(salary) FILTER (WHERE dept = 10) AS ops,
  sum(salary) FILTER (WHERE id = 99) AS none
FROM emp
